import { createHash, randomBytes } from "node:crypto";
import { Agent, type IncomingMessage, request } from "node:http";
import { isObject, type WalletMethods } from "./wallet-methods.ts";

/** The wallet answered with an error of its own. */
export class WalletError extends Error {
  override readonly name = "WalletError";
}

export type WalletClient = {
  /** Rejects with `WalletError` for an error of the wallet, and with another error without an answer in time. */
  readonly call: <Method extends keyof WalletMethods>(
    method: Method,
    params: WalletMethods[Method]["params"],
    timeoutMs: number,
  ) => Promise<WalletMethods[Method]["result"]>;
  readonly close: () => void;
};

const user = "sluice";

/** The login that a wallet's program is started with. */
export const loginOf = (password: string): string => `${user}:${password}`;

/**
 * Calls monero-wallet-rpc on the loopback interface, with the digest authentication that it requires (RFC 7616, MD5): any other program
 * of this machine that reached it could ask for the keys. The answers are decoded as far as their types say.
 */
export function createWalletClient(port: number, password: string): WalletClient {
  // The wallet ties its challenge to the connection.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let challenge: Challenge | null = null;
  let used = 0;

  const send = (body: string, timeoutMs: number): Promise<Answer> => {
    used += 1;
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...(challenge === null ? {} : { authorization: respond(challenge, password, used) }),
    };
    return post({ port, agent, headers, timeoutMs }, body);
  };

  return {
    call: async (method, params, timeoutMs) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method, params });
      let answer = await send(body, timeoutMs);
      if (answer.status === 401 && answer.challenge !== null) {
        challenge = answer.challenge;
        used = 0;
        answer = await send(body, timeoutMs);
      }
      return readAnswer(method, answer);
    },
    close: () => {
      agent.destroy();
    },
  };
}

type Challenge = { readonly realm: string; readonly nonce: string };

type Answer = {
  readonly status: number;
  readonly challenge: Challenge | null;
  readonly text: string;
};

const path = "/json_rpc";

function post(
  {
    timeoutMs,
    ...options
  }: {
    readonly port: number;
    readonly agent: Agent;
    readonly headers: Readonly<Record<string, string | number>>;
    readonly timeoutMs: number;
  },
  body: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request({ ...options, host: "127.0.0.1", method: "POST", path, signal });
    sent.on("error", reject);
    sent.on("response", (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        resolve({
          status: response.statusCode ?? 0,
          challenge: readChallenge(response.headers["www-authenticate"] ?? ""),
          text: Buffer.concat(chunks).toString("utf8"),
        });
      });
    });
    sent.end(body);
  });
}

function readChallenge(header: string): Challenge | null {
  const realm = /realm="([^"]*)"/.exec(header)?.[1];
  const nonce = /nonce="([^"]*)"/.exec(header)?.[1];
  return realm === undefined || nonce === undefined ? null : { realm, nonce };
}

function respond({ realm, nonce }: Challenge, password: string, count: number): string {
  const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
  const nc = count.toString(16).padStart(8, "0");
  const cnonce = randomBytes(16).toString("hex");
  const response = md5(
    [md5(`${user}:${realm}:${password}`), nonce, nc, cnonce, "auth", md5(`POST:${path}`)].join(":"),
  );
  return (
    `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${path}", algorithm=MD5, ` +
    `qop=auth, nc=${nc}, cnonce="${cnonce}", response="${response}"`
  );
}

function readAnswer<Method extends keyof WalletMethods>(
  method: Method,
  { status, text }: Answer,
): WalletMethods[Method]["result"] {
  if (status !== 200) throw new Error(`the wallet answered ${method} with HTTP ${status}`);
  const document: unknown = JSON.parse(text);
  if (!isObject(document)) throw new Error(`the wallet's answer to ${method} is not an object`);
  const { error, result } = document;
  if (isObject(error)) throw new WalletError(`${method}: ${String(error["message"])}`);
  if (!isObject(result)) throw new Error(`the wallet's answer to ${method} has no result`);
  return result;
}
