import { WebSocket } from "ws";
import type { Clock } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { withEitherSignal } from "../../platform/kernel/with-either-signal.ts";
import { withTimeLimit } from "../../platform/kernel/with-time-limit.ts";
import { readFields } from "../rpc/answer.ts";
import { NodeFault, RpcError } from "../rpc/node-error.ts";
import { parseJson } from "../rpc/parse-json.ts";

/** Asks Ogmios over the connection of a conversation; rejects with `RpcError` for its errors and with `NodeFault`. */
export type AskOgmios = (
  method: string,
  params?: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

export type Conversation<Memory> = {
  readonly ask: AskOgmios;
  /** What earlier conversations over the same connection left behind; a new object for each connection. */
  readonly memory: Memory;
};

/**
 * A WebSocket to Ogmios for the protocols that have a state: the connection's place on the chain, or its snapshot of the mempool.
 * Conversations follow one another, so nobody moves that place in between.
 */
export type OgmiosSocket<Memory> = {
  /** A conversation that fails, or takes longer than the limit, ends the connection. */
  readonly converse: <Answer>(
    talk: (conversation: Conversation<Memory>) => Promise<Answer>,
    signal: AbortSignal,
  ) => Promise<Answer>;
  readonly close: () => void;
};

type Connection<Memory> = { readonly socket: WebSocket; readonly memory: Memory };

export function createOgmiosSocket<Memory>(options: {
  /** `ws://` or `wss://` */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Time limit of each question. */
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  readonly remember: () => Memory;
}): OgmiosSocket<Memory> {
  const { clock, timeoutMs } = options;
  let open: Connection<Memory> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let asked = 0;

  const end = (): void => {
    open?.socket.terminate();
    open = null;
  };

  /** Passes on what arrives, or why nothing can arrive any more. */
  const withLimit = <Answer>(
    signal: AbortSignal,
    start: (settle: (answer: Answer) => void, fail: (error: Error) => void) => () => void,
  ): Promise<Answer> =>
    withTimeLimit(clock, timeoutMs, (expired) =>
      withEitherSignal(signal, expired, async (stop) => {
        let cleanUp = (): void => undefined;
        try {
          return await new Promise<Answer>((resolve, reject) => {
            const onAbort = (): void => {
              reject(
                expired.aborted
                  ? new NodeFault("timeout", `no answer within ${timeoutMs} ms`)
                  : new NodeFault("transport", "stopped"),
              );
            };
            stop.addEventListener("abort", onAbort, { once: true });
            const release = start(resolve, reject);
            cleanUp = () => {
              stop.removeEventListener("abort", onAbort);
              release();
            };
            if (stop.aborted) onAbort();
          });
        } finally {
          cleanUp();
        }
      }),
    );

  const connect = async (signal: AbortSignal): Promise<Connection<Memory>> => {
    if (open?.socket.readyState === WebSocket.OPEN) return open;
    end();
    const socket = new WebSocket(options.url, {
      headers: options.headers,
      maxPayload: options.bodyBytesMax,
      perMessageDeflate: false,
    });
    // Without a listener, an error between two questions would end the process.
    socket.on("error", () => undefined);
    const connection = { socket, memory: options.remember() };
    open = connection;
    await withLimit<true>(signal, (settle, fail) => {
      const onError = (error: Error): void => {
        fail(new NodeFault("transport", errorMessage(error), error));
      };
      const onOpen = (): void => {
        settle(true);
      };
      socket.once("open", onOpen);
      socket.once("error", onError);
      return () => {
        socket.off("open", onOpen);
        socket.off("error", onError);
      };
    });
    return connection;
  };

  const askOver =
    ({ socket }: Connection<Memory>, signal: AbortSignal): AskOgmios =>
    (method, params) =>
      withLimit<unknown>(signal, (settle, fail) => {
        asked += 1;
        const id = asked;
        const onMessage = (data: unknown): void => {
          try {
            const answer = readFields(parseJson(String(data)));
            if (answer["id"] !== id) return;
            if (answer["error"] === undefined) settle(answer["result"]);
            else fail(errorIn(method, answer["error"]));
          } catch (error) {
            fail(new NodeFault("garbage", `${method}: answered no JSON-RPC`, error));
          }
        };
        const onClose = (): void => {
          fail(new NodeFault("transport", `${method}: the connection ended`));
        };
        socket.on("message", onMessage);
        socket.once("close", onClose);
        socket.send(
          JSON.stringify({
            jsonrpc: "2.0",
            method,
            ...(params === undefined ? {} : { params }),
            id,
          }),
        );
        return () => {
          socket.off("message", onMessage);
          socket.off("close", onClose);
        };
      });

  const converseNow = async <Answer>(
    talk: (conversation: Conversation<Memory>) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> => {
    try {
      const connection = await connect(signal);
      return await talk({ ask: askOver(connection, signal), memory: connection.memory });
    } catch (error) {
      // Nobody knows where on the chain the connection is now.
      end();
      throw error;
    }
  };

  return {
    converse: (talk, signal) => {
      const mine = turn.then(() => converseNow(talk, signal));
      turn = mine.catch(() => undefined);
      return mine;
    },
    close: end,
  };
}

/** Ogmios answers `-32603` when it lost its own node. */
const internalError = -32_603;

export function errorIn(method: string, value: unknown): Error {
  const { code, message, data } = readFields(value);
  const number = typeof code === "number" ? code : 0;
  const text = `${method}: ${typeof message === "string" ? message : "an error without a message"}`;
  return number === internalError ? new NodeFault("busy", text) : new RpcError(number, text, data);
}
