import { createHash, randomBytes } from 'node:crypto';

import { AuthorizationCode } from 'simple-oauth2';

import { Callback, check, failure, issuer, revokeConnections, say, statusWith, toolServer } from './fixture.mjs';

const callback = await Callback.open();
const server = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
const registered = await fetch(server.registration_endpoint, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    client_name: 'simple-oauth2', redirect_uris: [callback.uri], token_endpoint_auth_method: 'client_secret_post',
  }),
});
check(registered.status === 201, await registered.clone().text());
const { client_id: id, client_secret: secret } = await registered.json();
say('registered');

const refusal = async promise => {
  const error = await failure(promise);
  check(error.isBoom, String(error));
  return `${error.output.statusCode} ${error.data.payload.error}`;
};

/** Runs a connection with requests as a form or as JSON: the library supports both. */
async function runConnection(bodyFormat) {
  const client = new AuthorizationCode({
    client: { id, secret },
    auth: {
      tokenHost: issuer, tokenPath: new URL(server.token_endpoint).pathname,
      authorizePath: new URL(server.authorization_endpoint).pathname,
    },
    options: { authorizationMethod: 'body', bodyFormat },
  });
  const verifier = randomBytes(32).toString('base64url'), state = randomBytes(16).toString('hex');
  const url = client.authorizeURL({
    redirect_uri: callback.uri, state, resource: toolServer, code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const { searchParams } = await callback.consent(url);
  check(searchParams.get('state') === state, 'wrong state');
  check(searchParams.get('iss') === issuer, 'wrong issuer');
  const code = searchParams.get('code');
  const tokens = await client.getToken({ code, redirect_uri: callback.uri, code_verifier: verifier });
  check(!tokens.expired(), 'the token has already expired');
  say(`authorized with ${bodyFormat}: ${tokens.token.scope}, ${await statusWith(tokens.token.access_token)}`);
  const next = await tokens.refresh();
  check(next.token.refresh_token !== tokens.token.refresh_token, 'the refresh token did not change');
  say(`refreshed: ${await statusWith(next.token.access_token)}`);
  revokeConnections();
  say(`revoked: ${await refusal(next.refresh())}, ${await statusWith(next.token.access_token)}`);
}

await runConnection('form');
await runConnection('json');
callback.close();
