#include "server/identity.h"

#include <string.h>

const uint64_t member_ids[IDENTITIES] = {
    0x8211f1d0f64f3269, 0x91bc3c398fb3c146, 0xfd422379fda50e48,
    0x45d559f8148de837, 0xc91263fe1e1dd3b5, 0xc095726c53f77e93,
    0xf89af55e1b94f6c3, 0x5b79906609457ea0, 0x58004f6ecc3ed563,
};

static const char *const names[IDENTITIES] = {"S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"};

static const char *const client_urls[IDENTITIES] = {
    "http://127.0.0.1:2379",  "http://127.0.0.1:22379", "http://127.0.0.1:32379",
    "http://127.0.0.1:42379", "http://127.0.0.1:52379", "http://127.0.0.1:62379",
    "http://127.0.0.1:12479", "http://127.0.0.1:22479", "http://127.0.0.1:32479",
};

static const char *const peer_urls[IDENTITIES] = {
    "http://127.0.0.1:12380", "http://127.0.0.1:22380", "http://127.0.0.1:32380",
    "http://127.0.0.1:42380", "http://127.0.0.1:52380", "http://127.0.0.1:62380",
    "http://127.0.0.1:12480", "http://127.0.0.1:22480", "http://127.0.0.1:32480",
};

const char *member_name(unsigned number)
{
	return names[number - 1];
}

const char *member_client_url(unsigned number)
{
	return client_urls[number - 1];
}

const char *member_peer_url(unsigned number)
{
	return peer_urls[number - 1];
}

unsigned member_with_peer_url(const char *url)
{
	for (unsigned i = 0; i < IDENTITIES; i++)
		if (strcmp(peer_urls[i], url) == 0)
			return i + 1;
	return 0;
}
