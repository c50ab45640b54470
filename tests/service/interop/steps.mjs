// What the programs of this folder have in common: each is a real client, and the test that runs it is its user.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';

export const roost = process.env.INTEROP_ROOST; // the authorization server
export const toolServer = process.env.INTEROP_TOOL_SERVER; // the resource that tokens are for
export { assert };

/** The user opens this address in a browser, signs in, and presses Authorize. */
export function openInBrowser(url) {
  process.stderr.write(`OPEN ${url}\n`);
}

/** The operator ends all connections. */
export function revokeConnections() {
  process.stderr.write('REVOKE\n');
}

export function say(step) {
  process.stderr.write(`STEP ${step}\n`);
}

/** Where the browser comes back to: `redirectUri`, and `answer()` with the parameters that it brings. */
export async function callback() {
  let arrived;
  const parameters = new Promise(resolve => (arrived = resolve));
  const server = createServer((request, response) => {
    const url = new URL(request.url, `http://${request.headers.host}`);
    if (url.pathname !== '/callback') return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Connected</title>Connected');
    arrived(url);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return { redirectUri: `http://127.0.0.1:${server.address().port}/callback`, answer: () => parameters };
}

/** Asks again until it is refused with this error; an answer that is no refusal is followed by the next try. */
export async function untilRefused(attempt, isRefusal) {
  for (let i = 0; i < 200; ++i) {
    try {
      await attempt();
    } catch (error) {
      if (isRefusal(error)) return;
      throw error;
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  assert.fail('the revocation has no effect');
}

/** Runs a program's steps; whatever goes wrong is told, and the program fails. */
export function run(steps) {
  const patience = setTimeout(() => {
    process.stderr.write('FAILED it takes too long\n');
    process.exit(1);
  }, 90_000);
  steps().then(
    () => {
      clearTimeout(patience);
      process.stderr.write('DONE\n');
      process.exit(0);
    },
    error => {
      process.stderr.write(`FAILED ${error?.stack ?? error} ${JSON.stringify(error?.cause ?? {})}\n`);
      process.exit(1);
    },
  );
}
