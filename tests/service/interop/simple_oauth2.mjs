import { createHash, randomBytes } from 'node:crypto';
import { AuthorizationCode } from 'simple-oauth2';
import { assert, callback, openInBrowser, revokeConnections, roost, run, say, untilRefused } from './steps.mjs';

run(async () => {
  const back = await callback();
  const registered = await fetch(`${roost}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [back.redirectUri], token_endpoint_auth_method: 'client_secret_post' }),
  });
  assert.equal(registered.status, 201);
  const { client_id: id, client_secret: secret } = await registered.json();
  const client = new AuthorizationCode({
    client: { id, secret },
    auth: { tokenHost: roost, tokenPath: '/oauth/token', authorizePath: '/oauth/authorize' },
    options: { authorizationMethod: 'body' },
  });
  say('registered');

  const verifier = randomBytes(32).toString('base64url');
  openInBrowser(
    client.authorizeURL({
      redirect_uri: back.redirectUri,
      state: 'a state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  );
  const answer = (await back.answer()).searchParams;
  assert.equal(answer.get('state'), 'a state');
  let token = await client.getToken({ code: answer.get('code'), redirect_uri: back.redirectUri, code_verifier: verifier });
  assert.equal(token.expired(), false);
  say('exchanged');

  const refresh = async () => {
    token = await token.refresh();
  };
  await refresh();
  say('refreshed');
  revokeConnections();
  await untilRefused(refresh, error => error.data?.payload?.error === 'invalid_grant');
});
