import type { Clock } from "../../platform/kernel/clock.ts";
import { readBody, serveLoopback } from "../../sandbox/loopback-server.ts";
import { type Gate, startGate } from "./gate.ts";
import { parseLinkState } from "./link-state.ts";

/** A link between two processes: a proxy in front of a port, whatever is spoken there. */
export type Link = {
  /** Names of processes, or of a role where the link carries the connections of all of that role. */
  readonly from: string;
  readonly to: string;
  /** Where the process `from` connects. */
  readonly port: number;
  readonly controlUrl: string;
};

export type Links = {
  /** Opens a link to a loopback port. */
  readonly open: (from: string, to: string, port: number) => Promise<number>;
  readonly list: () => readonly Link[];
  readonly close: () => Promise<void>;
};

const bodyMax = 1_024;

/** The links of a cluster, and the endpoint that cuts and delays them. */
export async function startLinks(clock: Clock): Promise<Links> {
  const links: { readonly link: Link; readonly gate: Gate }[] = [];
  const control = await serveLoopback(0, async (request, response) => {
    const number = Number(/^\/links\/(\d+)$/.exec(request.url ?? "")?.[1]);
    const body = request.method === "POST" ? await readBody(request, bodyMax) : null;
    const [status, answer] = answerOf(links[number]?.gate, request.method === "POST", body);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  return {
    open: async (from, to, port) => {
      const gate = await startGate(port, clock);
      const controlUrl = `http://127.0.0.1:${control.port}/links/${links.length}`;
      links.push({ link: { from, to, port: gate.port, controlUrl }, gate });
      return gate.port;
    },
    list: () => links.map(({ link }) => link),
    close: async () => {
      await Promise.all(links.map(({ gate }) => gate.close()));
      await control.close();
    },
  };
}

function answerOf(
  gate: Gate | undefined,
  isChange: boolean,
  body: Buffer | null,
): readonly [status: number, body: unknown] {
  if (gate === undefined) return [404, { error: "no such link" }];
  const asked = isChange ? parseLinkState(body, gate.state()) : gate.state();
  if (asked === null) {
    return [400, { error: 'send {"state": "cut" or "open", "delay_ms": 0 to 600000}' }];
  }
  gate.change(asked);
  const { isCut, delayMs } = gate.state();
  return [200, { state: isCut ? "cut" : "open", delay_ms: delayMs }];
}
