/* SPDX-License-Identifier: MIT */
/*
 * oauth_flow.h -- the inside of an `oauth`, for the files of this room.
 */
#ifndef OAUTH_FLOW_H
#define OAUTH_FLOW_H

#include "oauth.h"
#include "oauth_text.h"
#include "oauth_url.h"

typedef enum oauth_phase {
	PHASE_PROBE,    /* the server is asked, to be challenged */
	PHASE_RESOURCE, /* its metadata, at candidate o->candidate */
	PHASE_ISSUER,   /* the authorization server's, likewise */
	PHASE_REFRESH,
	PHASE_OWN_TOKEN, /* for the client itself, without a person */
	PHASE_REGISTER,
	PHASE_BROWSE,
	PHASE_REDEEM, /* the code for a token */
	PHASE_DONE,
	PHASE_FAILED
} oauth_phase;

/* How the client says at the token endpoint that it is itself. */
typedef enum oauth_method {
	METHOD_NONE,
	METHOD_BASIC,
	METHOD_POST,
	METHOD_KEY,
	METHOD_COUNT /* none that is known */
} oauth_method;

typedef struct oauth_client {
	text id; /* empty: none yet */
	text secret;
	oauth_method method;
	bool registered; /* by us, so that it may be forgotten */
} oauth_client;

/* What is kept between attempts. Tokens belong to one issuer. */
typedef struct oauth_kept {
	text issuer;
	text token_endpoint;
	text resource; /* empty: the server names none */
	text client_id;
	oauth_method method;
	text access;
	text refresh;
	text scope;    /* asked for or granted */
	text wanted;   /* by a challenge that no person was there for */
	text dpop_key; /* the key (PEM) of the token; empty: a bearer token */
	uint64_t expires_s; /* 0: not known */
	json clients;       /* registered: issuer -> client */
} oauth_kept;

/* The authorization server, when it is known. */
typedef struct oauth_issuer {
	text name;
	text authorize;
	text token;
	text enroll;   /* registration endpoint; empty: none */
	json metadata; /* missing: it has none (2025-03-26) */
} oauth_issuer;

struct oauth {
	const cm_alloc *alloc;
	oauth_options opt;
	arena arena;
	oauth_phase phase;
	oauth_url server;
	oauth_challenge challenge;
	oauth_kept kept;
	oauth_client client;
	oauth_issuer issuer;
	text resource;        /* as the server's metadata says it */
	text resource_scopes; /* the same: scopes_supported */
	text issuer_name;     /* of the metadata that is looked for */
	bool has_metadata;    /* the server has its own: 2025-06-18 on */
	bool open;            /* the probe was answered without a challenge */
	bool refresh_refused;
	unsigned candidate;
	unsigned redirects;
	text verifier;
	text state;
	text asked_scope;
	text proof_key;    /* the key (PEM) of the tokens to get; empty: none */
	text proof_nonce;  /* of the token endpoint */
	size_t proof_at;   /* where its header begins in .headers */
	unsigned proofs;   /* proofs made so far */
	bool proved_again; /* the request was repeated with a nonce */
	uint64_t now_s;
	/* The step. */
	const char *method;
	buf url, headers, body;
	text token;
	oauth_failure failure;
	buf message;
	buf credentials; /* empty: not changed */
};

/* ------------------------------------------------------------ oauth.c */

void flow_fail_as(oauth *o, oauth_failure f, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Begins a request: url is copied, headers and body are empty but for Accept. */
void flow_request(oauth *o, const char *method, text url);
/* What b holds, as a copy in the arena; b is released. When one of the two has
 * no memory, the attempt fails. */
text flow_keep(oauth *o, buf *b);
/* The string under key, unescaped, as a copy in the arena; empty: no string. */
text flow_string(oauth *o, json object, const char *key);
/* A list of strings as words with blanks between; empty: no list. */
text flow_words(oauth *o, json list);
/* Reads t into *out and looks whether it may be used; otherwise the attempt has
 * failed, and what says which URL it was. */
bool flow_url(oauth *o, const char *what, text t, oauth_url *out);

/* -------------------------------------------------- oauth_discover.c */

void discover_probe(oauth *o);
void discover_probed(oauth *o, const oauth_response *r);
void discover_resource(oauth *o);
void discover_resource_answered(oauth *o, const oauth_response *r);
void discover_issuer_answered(oauth *o, const oauth_response *r);

/* ----------------------------------------------------- oauth_client.c */

/* Chooses the client; registers one when there is none. False: a request must
 * be answered first, or the attempt has failed. */
bool client_ready(oauth *o);
void client_registered(oauth *o, const oauth_response *r);
/* Adds the identity of the client to headers and body of a request to the token
 * endpoint. */
void client_sign_request(oauth *o);
/* The method that fits the secret or key that o->client has. */
void client_choose_method(oauth *o);
/* May the client have a token of its own, and only that? */
bool client_is_machine(const oauth *o);
/* Is word in that list of the issuer's metadata? */
bool client_issuer_lists(const oauth *o, const char *list, const char *word);
/* The client that got the tokens. */
void client_of_tokens(oauth *o);

/* ------------------------------------------------------ oauth_token.c */

void token_refresh(oauth *o);
void token_refreshed(oauth *o, const oauth_response *r);
void token_own(oauth *o);
void token_browse(oauth *o);
bool token_redeem(oauth *o, text pasted);
void token_answered(oauth *o, const oauth_response *r);

/* ------------------------------------------------------- oauth_credentials.c */

void credentials_read(oauth *o, json kept);
/* Writes o->kept to o->credentials. */
void credentials_write(oauth *o);
void credentials_drop_tokens(oauth *o);
/* Sets the client of the issuer, or removes it (missing). */
void credentials_set_client(oauth *o, text issuer, json client);
json credentials_client(const oauth *o, text issuer);

const char *auth_method_name(oauth_method m);
oauth_method auth_method_of_name(text name);

/* The metadata of server and issuer are known, or none are needed: refresh, get
 * an own token, or log in. */
void flow_get_token(oauth *o);

#endif
