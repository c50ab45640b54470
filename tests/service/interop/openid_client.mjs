import * as client from 'openid-client';
import { assert, callback, openInBrowser, revokeConnections, roost, run, say, toolServer, untilRefused } from './steps.mjs';

run(async () => {
  const back = await callback();
  const config = await client.dynamicClientRegistration(
    new URL(roost),
    { client_name: 'openid-client', redirect_uris: [back.redirectUri], token_endpoint_auth_method: 'none' },
    client.None(),
    { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
  );
  assert.ok(config.serverMetadata().supportsPKCE('S256'));
  say('registered');

  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  openInBrowser(
    client.buildAuthorizationUrl(config, {
      redirect_uri: back.redirectUri,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      resource: toolServer,
    }),
  );
  let tokens = await client.authorizationCodeGrant(config, await back.answer(), { pkceCodeVerifier, expectedState });
  assert.equal(tokens.token_type, 'bearer');
  assert.equal(tokens.expiresIn() > 890, true);
  say('exchanged');

  const refresh = async () => {
    tokens = await client.refreshTokenGrant(config, tokens.refresh_token, { resource: toolServer });
  };
  await refresh();
  say('refreshed');
  revokeConnections();
  await untilRefused(refresh, error => error instanceof client.ResponseBodyError && error.error === 'invalid_grant');
});
