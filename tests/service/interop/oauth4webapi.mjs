import * as oauth from 'oauth4webapi';

import { Callback, check, issuer, refusalOf, revokeConnections, say, statusWith, toolServer } from './fixture.mjs';

const plain = { [oauth.allowInsecureRequests]: true };
const callback = await Callback.open();
const resource = new URL(toolServer);
const described = await oauth.processResourceDiscoveryResponse(resource,
  await oauth.resourceDiscoveryRequest(resource, plain));
check(described.authorization_servers[0] === issuer, 'wrong authorization server');
const at = new URL(issuer);
const discover = async algorithm =>
  oauth.processDiscoveryResponse(at, await oauth.discoveryRequest(at, { ...plain, algorithm }));
const server = await discover('oauth2');
check(server.authorization_response_iss_parameter_supported === true, 'no iss');
check((await discover('oidc')).token_endpoint === server.token_endpoint, 'the two metadata documents differ');
say('discovered');

const client = await oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(server,
  { client_name: 'oauth4webapi', redirect_uris: [callback.uri], token_endpoint_auth_method: 'none' }, plain));
check(client.client_secret === undefined, 'a public client has a secret');
say('registered');

async function authorize() {
  const verifier = oauth.generateRandomCodeVerifier(), state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint);
  url.search = new URLSearchParams({
    response_type: 'code', client_id: client.client_id, redirect_uri: callback.uri, state, resource: toolServer,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  });
  const parameters = oauth.validateAuthResponse(server, client, await callback.consent(url), state);
  return { parameters, verifier };
}

const exchange = async ({ parameters, verifier }) => oauth.processAuthorizationCodeResponse(server, client,
  await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, callback.uri, verifier,
    { ...plain, additionalParameters: { resource: toolServer } }));

const refresh = async (tokens, as = client) => oauth.processRefreshTokenResponse(server, as,
  await oauth.refreshTokenGrantRequest(server, as, oauth.None(), tokens.refresh_token, plain));

const refusal = promise => refusalOf(oauth, promise);

const granted = await authorize();
const tokens = await exchange(granted);
say(`authorized: ${tokens.token_type} ${tokens.scope}, ${await statusWith(tokens.access_token)}`);
const next = await refresh(tokens);
say(`refreshed: ${await statusWith(next.access_token)}`);
say(`an old refresh token: ${await refusal(refresh(tokens))}`);
say(`its successor: ${await refusal(refresh(next))}, ${await statusWith(next.access_token)}`);

const again = await authorize();
const wrong = { ...again, verifier: oauth.generateRandomCodeVerifier() };
say(`another verifier: ${await refusal(exchange(wrong))}`);
const replayed = await authorize();
const last = await exchange(replayed);
say(`a code twice: ${await refusal(exchange(replayed))}, ${await statusWith(last.access_token)}`);

const ended = await exchange(await authorize());
revokeConnections();
say(`revoked: ${await refusal(refresh(ended))}, ${await statusWith(ended.access_token)}`);
say(`an unknown client: ${await refusal(refresh(ended, { client_id: 'mcp-unknown' }))}`);
callback.close();
