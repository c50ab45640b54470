// The life cycle of a connection in an MCP client library.
import { Callback, check, landlord, revokeConnections, say, toolServer } from './fixture.mjs';

/** The storage that a library requires of its host. */
class Provider {
  constructor(redirectUrl) {
    this.redirectUrl = redirectUrl;
    this.stored = {};
    this.registrations = 0;
  }

  get clientMetadata() {
    return {
      client_name: 'Interoperability',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state() {
    return (this.stored.state = crypto.randomUUID());
  }
  clientInformation() {
    return this.stored.client;
  }
  saveClientInformation(client) {
    ++this.registrations;
    this.stored.client = client;
  }
  tokens() {
    return this.stored.tokens;
  }
  saveTokens(tokens) {
    this.stored.tokens = tokens;
  }
  saveCodeVerifier(verifier) {
    this.stored.verifier = verifier;
  }
  codeVerifier() {
    return this.stored.verifier;
  }
  saveDiscoveryState(discovery) {
    this.stored.discovery = discovery;
  }
  discoveryState() {
    return this.stored.discovery;
  }
  invalidateCredentials(scope) {
    say(`forgets: ${scope}`);
    if (scope === 'all' || scope === 'client') delete this.stored.client;
    if (scope === 'all' || scope === 'tokens') delete this.stored.tokens;
  }
  redirectToAuthorization(url) {
    landlord(url);
  }
}

/**
* `library` has the classes of a version of the SDK, and `finish(transport, parameters)`, which passes on the parameters
* of the redirect.
*/
export async function runConnection(library) {
  const callback = await Callback.open();
  const provider = new Provider(callback.uri);

  const attempt = async redirect => {
    const client = new library.Client({ name: 'interoperability', version: '1.0.0' });
    const transport = new library.StreamableHTTPClientTransport(new URL(toolServer), { authProvider: provider });
    try {
      await client.connect(transport);
      const { tools } = await client.listTools();
      check(tools.length === 1, JSON.stringify(tools));
      return await client.callTool({ name: tools[0].name, arguments: {} });
    } catch (error) {
      if (!redirect || !(error instanceof library.UnauthorizedError)) throw error;
      const { searchParams } = await redirect;
      check(searchParams.get('state') === provider.stored.state, 'wrong state');
      await library.finish(transport, searchParams);
      return undefined;
    } finally {
      await client.close();
    }
  };
  const callTool = async () => say((await attempt()).content[0].text);

  check(await attempt(callback.next()) === undefined, 'no authorization was needed');
  say(`authorized: ${provider.stored.tokens.scope}`);
  await callTool();

  const before = { ...provider.stored.tokens };
  provider.stored.tokens = { ...before, access_token: `${before.access_token}x` };
  await callTool();
  check(provider.stored.tokens.refresh_token !== before.refresh_token, 'the refresh token did not change');
  say('refreshed');

  revokeConnections();
  check(await attempt(callback.next()) === undefined, 'the connection was not revoked');
  say('authorized anew');
  await callTool();

  check(provider.registrations === 1, `${provider.registrations} registrations`);
  provider.stored.client = { ...provider.stored.client, client_id: 'mcp-unknown' };
  provider.stored.tokens = { ...provider.stored.tokens, access_token: 'x' };
  check(await attempt(callback.next()) === undefined, 'an unknown client was accepted');
  check(provider.registrations === 2, `${provider.registrations} registrations`);
  say('registered anew');
  await callTool();
  callback.close();
}
