import { Pool } from "undici";
import type { Clock } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { type SpanStart, tracedInside } from "../../platform/kernel/tracing.ts";
import { withEitherSignal } from "../../platform/kernel/with-either-signal.ts";
import { withTimeLimit } from "../../platform/kernel/with-time-limit.ts";
import { AnswerTooLarge, NodeFault } from "./node-error.ts";
import { parseJson, textOf } from "./parse-json.ts";

/** Where a node is reached. */
export type NodeAddress = {
  /** `http://user:password@host:port/path`; its userinfo becomes basic authentication. */
  readonly url: string;
  /** Sent with every request, such as an API key; never logged. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type NodeRequest = {
  readonly method: "GET" | "POST";
  /** Below the node's URL: `/wallet/getnowblock`; empty for the URL itself. */
  readonly path: string;
  /** A JSON document, or bytes; null with GET. */
  readonly body: string | Uint8Array | null;
  /** Whether an answer that is no HTTP error consists of bytes instead of JSON. Absent: false. */
  readonly wantsBytes?: boolean;
};

export type NodeReply = {
  readonly status: number;
  /** Parsed by `parseJson`: numbers that a double cannot hold are strings. A `Uint8Array` where bytes were wanted. */
  readonly document: unknown;
};

/** One HTTP endpoint that answers JSON, or bytes where they are wanted. */
export type HttpNode = {
  /** For logs: `host:port`, never the path or the credentials, which may be keys. */
  readonly name: string;
  /**
   * Rejects with `NodeFault` for anything but a JSON document, with `AnswerTooLarge` for more than `bodyBytesMax`; a JSON
   * document of an HTTP error is an answer.
   */
  readonly send: (
    request: NodeRequest,
    timeoutMs: number,
    signal: AbortSignal,
  ) => Promise<NodeReply>;
  readonly close: () => Promise<void>;
};

const busyStatuses = new Set([429, 502, 503]);
/** A proxy has waited for the node: the gateway's own, and Cloudflare's. */
const lateStatuses = new Set([504, 524]);

/** Keeps up to `connections` connections alive to the URL. */
export function createHttpNode(
  { url, headers }: NodeAddress,
  options: {
    readonly name: string;
    readonly clock: Clock;
    readonly connections: number;
    readonly bodyBytesMax: number;
  },
): HttpNode {
  const at = new URL(url);
  const sent = { ...basicAuthentication(at), ...headers };
  const pool = new Pool(at.origin, {
    connections: options.connections,
    pipelining: 1,
    // Each call has its own timeout, since long polls wait longer than reads.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const exchange = async (
    { method, path, body, wantsBytes = false }: NodeRequest,
    signal: AbortSignal,
  ): Promise<NodeReply> => {
    const response = await pool.request({
      path: pathBelow(at, path),
      method,
      headers: body === null ? sent : { "content-type": contentType(body), ...sent },
      body,
      signal,
    });
    const bytes = await readBytes(response.body, options.bodyBytesMax);
    const status = response.statusCode;
    if (busyStatuses.has(status)) throw new NodeFault("busy", `answered HTTP ${status}`);
    if (lateStatuses.has(status)) throw new NodeFault("timeout", `answered HTTP ${status}`);
    if (status === 401 || status === 403)
      throw new NodeFault("denied", `refused our credentials (HTTP ${status})`);
    if (wantsBytes && status < 400) return { status, document: bytes };
    try {
      return { status, document: parseJson(textOf(bytes)) };
    } catch {
      throw new NodeFault("garbage", `answered HTTP ${status} and no JSON`);
    }
  };

  return {
    name: options.name,
    send: (request, timeoutMs, signal) =>
      tracedInside(spanOf(request, options.name), () =>
        withTimeLimit(options.clock, timeoutMs, async (expired) => {
          try {
            return await withEitherSignal(signal, expired, (either) => exchange(request, either));
          } catch (error) {
            if (error instanceof NodeFault || error instanceof AnswerTooLarge) throw error;
            if (expired.aborted)
              throw new NodeFault("timeout", `no answer within ${timeoutMs} ms`, error);
            throw new NodeFault("transport", errorMessage(error), error);
          }
        }),
      ),
    close: () => pool.destroy(),
  };
}

/** The path below the node's URL names the call where there is one; the URL itself may contain a key. */
function spanOf({ method, path }: NodeRequest, name: string): SpanStart {
  return {
    name: "call node",
    kind: "client",
    attributes: { "sluice.node": name, "http.request.method": method, "sluice.call": path },
  };
}

function contentType(body: string | Uint8Array): string {
  return typeof body === "string" ? "application/json" : "application/octet-stream";
}

/** The URL's path followed by the request's, with both queries: the URL's may be a key. */
function pathBelow(at: URL, path: string): string {
  const base = path === "" ? at.pathname : at.pathname.replace(/\/+$/, "");
  return base + path + (path.includes("?") ? at.search.replace("?", "&") : at.search);
}

function basicAuthentication(at: URL): Readonly<Record<string, string>> {
  if (at.username === "" && at.password === "") return {};
  const pair = `${decodeURIComponent(at.username)}:${decodeURIComponent(at.password)}`;
  return { authorization: `Basic ${Buffer.from(pair, "utf8").toString("base64")}` };
}

async function readBytes(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop destroys the stream and its connection.
    if (length > bytesMax) throw new AnswerTooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
