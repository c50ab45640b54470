// The life of a connection as an MCP client's library leads it, whichever the library is.
import { Callback, check, landlord, revokeConnections, say, toolServer } from './scene.mjs';

/** What a library asks of its host: it keeps what the library wants kept. */
class Provider {
  constructor(redirectUrl) {
    this.redirectUrl = redirectUrl;
    this.kept = {};
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
    return (this.kept.state = crypto.randomUUID());
  }
  clientInformation() {
    return this.kept.client;
  }
  saveClientInformation(client) {
    ++this.registrations;
    this.kept.client = client;
  }
  tokens() {
    return this.kept.tokens;
  }
  saveTokens(tokens) {
    this.kept.tokens = tokens;
  }
  saveCodeVerifier(verifier) {
    this.kept.verifier = verifier;
  }
  codeVerifier() {
    return this.kept.verifier;
  }
  saveDiscoveryState(discovery) {
    this.kept.discovery = discovery;
  }
  discoveryState() {
    return this.kept.discovery;
  }
  invalidateCredentials(scope) {
    say(`forgets: ${scope}`);
    if (scope === 'all' || scope === 'client') delete this.kept.client;
    if (scope === 'all' || scope === 'tokens') delete this.kept.tokens;
  }
  redirectToAuthorization(url) {
    landlord(url);
  }
}

/**
 * `library` has the classes of a version of the SDK, and `finish(transport, parameters)`, which hands it what the
 * browser was sent back with.
 */
export async function leadConnection(library) {
  const callback = await Callback.open();
  const provider = new Provider(callback.uri);

  const attempt = async back => {
    const client = new library.Client({ name: 'interoperability', version: '1.0.0' });
    const transport = new library.StreamableHTTPClientTransport(new URL(toolServer), { authProvider: provider });
    try {
      await client.connect(transport);
      const { tools } = await client.listTools();
      check(tools.length === 1, JSON.stringify(tools));
      return await client.callTool({ name: tools[0].name, arguments: {} });
    } catch (error) {
      if (!back || !(error instanceof library.UnauthorizedError)) throw error;
      const { searchParams } = await back;
      check(searchParams.get('state') === provider.kept.state, 'another state');
      await library.finish(transport, searchParams);
      return undefined;
    } finally {
      await client.close();
    }
  };
  const tell = async () => say((await attempt()).content[0].text);

  check(await attempt(callback.next()) === undefined, 'no authorization was needed');
  say(`authorized: ${provider.kept.tokens.scope}`);
  await tell();

  const before = { ...provider.kept.tokens };
  provider.kept.tokens = { ...before, access_token: `${before.access_token}x` };
  await tell();
  check(provider.kept.tokens.refresh_token !== before.refresh_token, 'the refresh token did not change');
  say('refreshed');

  revokeConnections();
  check(await attempt(callback.next()) === undefined, 'the connection lives on');
  say('authorized anew');
  await tell();

  check(provider.registrations === 1, `${provider.registrations} registrations`);
  provider.kept.client = { ...provider.kept.client, client_id: 'mcp-unknown' };
  provider.kept.tokens = { ...provider.kept.tokens, access_token: 'x' };
  check(await attempt(callback.next()) === undefined, 'an unknown client is let in');
  check(provider.registrations === 2, `${provider.registrations} registrations`);
  say('registered anew');
  await tell();
  callback.close();
}
