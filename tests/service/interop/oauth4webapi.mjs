import * as oauth from 'oauth4webapi';
import { assert, callback, openInBrowser, revokeConnections, roost, run, say, toolServer, untilRefused } from './steps.mjs';

const insecure = { [oauth.allowInsecureRequests]: true };

run(async () => {
  const issuer = new URL(roost);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
  say('discovered');

  const back = await callback();
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      { client_name: 'oauth4webapi', redirect_uris: [back.redirectUri], token_endpoint_auth_method: 'client_secret_post' },
      insecure,
    ),
  );
  assert.equal(client.client_secret_expires_at, 0);
  const authentication = oauth.ClientSecretPost(client.client_secret);
  say('registered');

  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint);
  for (const [name, value] of Object.entries({
    client_id: client.client_id,
    redirect_uri: back.redirectUri,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource: toolServer,
  }))
    url.searchParams.set(name, value);
  openInBrowser(url);
  const parameters = oauth.validateAuthResponse(server, client, await back.answer(), state);
  say('authorized');

  let tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(server, client, authentication, parameters, back.redirectUri, verifier, insecure),
  );
  assert.equal(tokens.expires_in, 900);
  assert.equal(tokens.scope, 'bookings team');
  say('exchanged');

  const refresh = async () => {
    tokens = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token, insecure),
    );
  };
  await refresh();
  say('refreshed');
  revokeConnections();
  await untilRefused(refresh, error => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant');
});
