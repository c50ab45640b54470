import * as openid from 'openid-client';

import { Callback, check, issuer, refusalOf, revokeConnections, say, statusWith, toolServer } from './fixture.mjs';

const callback = await Callback.open();
// A client with a secret, which the library sends in the body.
const config = await openid.dynamicClientRegistration(new URL(issuer),
  { client_name: 'openid-client', redirect_uris: [callback.uri], token_endpoint_auth_method: 'client_secret_post' },
  undefined, { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] });
check(config.clientMetadata().client_secret.length > 30, 'no secret');
check(config.clientMetadata().client_secret_expires_at === 0, 'the secret expires');
say('registered');

async function authorize() {
  const verifier = openid.randomPKCECodeVerifier(), state = openid.randomState();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback.uri, state, resource: toolServer, code_challenge_method: 'S256',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
  });
  const back = await callback.consent(url);
  return openid.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state });
}

const refusal = promise => refusalOf(openid, promise);

const tokens = await authorize();
say(`authorized: ${tokens.scope}, ${tokens.expiresIn() > 0}, ${await statusWith(tokens.access_token)}`);
const next = await openid.refreshTokenGrant(config, tokens.refresh_token);
check(next.refresh_token !== tokens.refresh_token, 'the refresh token did not change');
say(`refreshed: ${await statusWith(next.access_token)}`);

const impostor = new openid.Configuration(config.serverMetadata(), config.clientMetadata().client_id,
  { client_secret: 'guessed' }, openid.ClientSecretPost('guessed'));
openid.allowInsecureRequests(impostor);
say(`another secret: ${await refusal(openid.refreshTokenGrant(impostor, next.refresh_token))}`);

const last = await openid.refreshTokenGrant(config, next.refresh_token);
revokeConnections();
say(`revoked: ${await refusal(openid.refreshTokenGrant(config, last.refresh_token))}, ` +
    `${await statusWith(last.access_token)}`);
callback.close();
