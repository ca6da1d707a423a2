import { Pool } from "undici";
import type { Clock } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { withTimeLimit } from "../../platform/kernel/with-time-limit.ts";
import { parseJson } from "./parse-json.ts";
import { AnswerTooLarge } from "./rpc-error.ts";

/** A node gave no usable answer. `timeout`: it accepted the request and stayed silent. */
export class NodeFault extends Error {
  override readonly name = "NodeFault";
  readonly kind: "transport" | "timeout" | "busy" | "denied" | "garbage";

  constructor(kind: NodeFault["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** One HTTP endpoint for JSON requests. */
export type RpcNode = {
  /** `host:port`, for logs: never the path or the credentials, which may be keys. */
  readonly name: string;
  /**
   * Rejects with `NodeFault` for anything but a JSON document, with `AnswerTooLarge` for more than `bodyBytesMax`; a JSON
   * document of an HTTP error is an answer.
   */
  readonly post: (body: string, timeoutMs: number, signal: AbortSignal) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

const busyStatuses = new Set([429, 502, 503, 504]);

/** Keeps up to `connections` connections alive to the URL; its userinfo becomes basic authentication. */
export function createRpcNode(
  url: string,
  options: {
    readonly clock: Clock;
    readonly connections: number;
    readonly bodyBytesMax: number;
    readonly headers: Readonly<Record<string, string>>;
  },
): RpcNode {
  const at = new URL(url);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    ...basicAuthentication(at),
    ...options.headers,
  };
  const pool = new Pool(at.origin, {
    connections: options.connections,
    pipelining: 1,
    // Each call has its own timeout, since long polls wait longer than reads.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const exchange = async (body: string, signal: AbortSignal): Promise<unknown> => {
    const response = await pool.request({
      path: at.pathname + at.search,
      method: "POST",
      headers,
      body,
      signal,
    });
    const text = await readText(response.body, options.bodyBytesMax);
    const status = response.statusCode;
    if (busyStatuses.has(status)) throw new NodeFault("busy", `answered HTTP ${status}`);
    if (status === 401 || status === 403)
      throw new NodeFault("denied", `refused our credentials (HTTP ${status})`);
    try {
      return parseJson(text);
    } catch {
      throw new NodeFault("garbage", `answered HTTP ${status} and no JSON`);
    }
  };

  return {
    name: at.host,
    post: (body, timeoutMs, signal) =>
      withTimeLimit(options.clock, timeoutMs, async (expired) => {
        try {
          return await exchange(body, AbortSignal.any([signal, expired]));
        } catch (error) {
          if (error instanceof NodeFault || error instanceof AnswerTooLarge) throw error;
          if (expired.aborted)
            throw new NodeFault("timeout", `no answer within ${timeoutMs} ms`, error);
          throw new NodeFault("transport", errorMessage(error), error);
        }
      }),
    close: () => pool.destroy(),
  };
}

function basicAuthentication(at: URL): Readonly<Record<string, string>> {
  if (at.username === "" && at.password === "") return {};
  const pair = `${decodeURIComponent(at.username)}:${decodeURIComponent(at.password)}`;
  return { authorization: `Basic ${Buffer.from(pair, "utf8").toString("base64")}` };
}

async function readText(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop destroys the stream and its connection.
    if (length > bytesMax) throw new AnswerTooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString("utf8");
}
