// The environment of the programs in this folder: the service, the tool server, the landlord in a browser, and the
// operator. The test that starts a program drives the browser: it opens the addresses that `landlord` prints, and clicks
// the buttons.
//
// A program prints its results on standard output. A failed check throws, which ends the program with status 1.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';

export const issuer = process.env.ISSUER;
export const toolServer = process.env.TOOL_SERVER;

export const say = text => console.log(text);

let opened = 0;
/** Makes the landlord open a consent page and authorize the client. */
export const landlord = url => console.error(`open ${++opened} ${url}`);

export const check = (condition, message) => {
if (!condition) throw new Error(message);
};

/** Waits for a promise to fail, and returns its error. */
export const failure = async promise => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
};

/**
 * Waits for a request to fail, and returns the status and the error code, and for a 401 also the scheme of its challenge
 * (RFC 9110, 15.5.2). oauth4webapi and openid-client report a challenge without reading the response's body.
 */
export async function refusalOf(library, promise) {
  const error = await failure(promise);
  if (error instanceof library.WWWAuthenticateChallengeError) {
    const { error: code } = await error.response.json();
    return `${error.status} ${code} (${error.cause.map(({ scheme }) => scheme)})`;
  }
  check(error instanceof library.ResponseBodyError, String(error));
  return `${error.status} ${error.error}`;
}

/** A server for the client's redirect URI. */
export class Callback {
  static async open() {
    const callback = new Callback();
    await new Promise(done => callback.#server.listen(0, '127.0.0.1', done));
    return callback;
  }

  get uri() {
    return `http://127.0.0.1:${this.#server.address().port}/callback`;
  }

  /** Returns a promise of the next address to which a browser is redirected. */
  next() {
    return new Promise(done => {
      this.#called = done;
    });
  }

  /** Makes the landlord authorize a request; returns a promise of the address of the redirect. */
  consent(url) {
    const back = this.next();
    landlord(url);
    return back;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #called = () => {};
  #server = createServer((request, response) => {
    response.end('You can close this window.');
    const url = new URL(request.url, this.uri);
    if (url.pathname === '/callback') this.#called(url);
  });
}

/** Runs a command of the operator and returns its output. */
export const roost = (...words) =>
  execFileSync(process.env.PROGRAM, [...words, '--config', process.env.CONFIG], { encoding: 'utf8' });

/** Revokes every connection as the operator. */
export function revokeConnections() {
  const connections = roost('connector', 'list').split('\n').filter(Boolean);
  check(connections.length === 1, `${connections.length} connections`);
  for (const connection of connections) roost('connector', 'revoke', connection.split(' ')[0]);
}

/** Calls the tool server with an access token, and returns the HTTP status. */
export async function statusWith(accessToken) {
  const response = await fetch(toolServer, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${accessToken}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await response.text();
  return response.status;
}
