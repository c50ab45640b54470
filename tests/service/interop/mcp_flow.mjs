// An MCP client from the first request without a token to what it does once its connection was ended.
import { startToolServer } from './tool_server.mjs';
import { assert, callback, openInBrowser, revokeConnections, say, toolServer } from './steps.mjs';

/** What the library asks of its host: it keeps everything in memory. */
class host {
  constructor(redirectUri) {
    this.redirectUrl = redirectUri;
    this.opened = [];
  }
  get clientMetadata() {
    return {
      client_name: 'Interop client',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }
  state() {
    return (this.sentState = 'state-' + Math.random());
  }
  clientInformation() {
    return this.client;
  }
  saveClientInformation(client) {
    this.client = client;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens) {
    this.kept = tokens;
  }
  redirectToAuthorization(url) {
    this.opened.push(url);
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  invalidateCredentials(scope) {
    if (scope === 'all' || scope === 'client') this.client = undefined;
    if (scope === 'all' || scope === 'tokens') this.kept = undefined;
    if (scope === 'all' || scope === 'verifier') this.verifier = undefined;
  }
}

export async function connectAndUse({ Client, StreamableHTTPClientTransport, UnauthorizedError }) {
  await startToolServer();
  const back = await callback();
  const user = new host(back.redirectUri);
  const dial = async () => {
    const client = new Client({ name: 'interop', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(toolServer), { authProvider: user });
    return { client, transport };
  };
  const first = await dial();
  await assert.rejects(first.client.connect(first.transport), UnauthorizedError);
  assert.equal(user.opened.length, 1);
  assert.equal(user.opened[0].searchParams.get('resource'), toolServer);
  assert.match(user.client.client_id, /^mcp-/);
  say('registered');

  openInBrowser(user.opened[0]);
  const answer = await back.answer();
  assert.equal(answer.searchParams.get('state'), user.sentState);
  assert.ok(answer.searchParams.get('iss'));
  await first.transport.finishAuth(answer.searchParams);
  assert.equal(user.kept.token_type, 'Bearer');
  say('authorized');

  const second = await dial();
  await second.client.connect(second.transport);
  const listed = await second.client.listTools();
  assert.deepEqual(listed.tools.map(each => each.name), ['whoami']);
  const called = await second.client.callTool({ name: 'whoami', arguments: {} });
  assert.equal(called.content[0].text, 'ana@casaverde.example: bookings read-only, team edit');
  say('used');

  const before = user.kept;
  user.kept = { ...before, access_token: 'expired' };
  const third = await dial();
  await third.client.connect(third.transport);
  assert.equal((await third.client.listTools()).tools.length, 1);
  assert.notEqual(user.kept.refresh_token, before.refresh_token);
  assert.equal(user.opened.length, 1);
  say('refreshed');

  revokeConnections();
  for (let i = 0; user.opened.length === 1; ++i) {
    assert.ok(i < 200, 'the revocation has no effect');
    const again = await dial();
    try {
      await again.client.connect(again.transport);
      await again.client.close();
    } catch (error) {
      assert.ok(error instanceof UnauthorizedError, `${error}`);
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  assert.match(user.client.client_id, /^mcp-/, 'it stays registered');
  say('asks to be authorized anew');
}
