import { secondsBetween } from "../../../platform/kernel/clock.ts";
import type { Block } from "../block.ts";
import type { Node } from "../node.ts";
import type { Printable, PrintableObject } from "../print-json.ts";
import { Hint } from "./hint.ts";
import { matches, printScript } from "./matches.ts";

export type KupoRequest = {
  readonly method: string;
  /** The parts of the path, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly accept: string;
};

/** A body that is a text is not JSON. */
export type KupoAnswer = { readonly status: number; readonly body: Printable };

/** The newest block of the index, which can be behind the node. */
export function newestOf({ kupoLag, ledger }: Node): Block | null {
  const height = (ledger.tip()?.height ?? -1) - kupoLag();
  return ledger.blockAt(height);
}

/** Answers a request as Kupo 2.11 does for an index of everything (`--match *`). Throws `Hint`. */
export function answerKupo(node: Node, request: KupoRequest): KupoAnswer {
  const { accept, method, path, query } = request;
  const [resource, ...rest] = path;
  if (resource === undefined) throw new Hint(404, "There is no such path.");
  if (method !== "GET") throw new Hint(406, "This simulated index only answers GET.");
  const { ledger } = node;
  const [first] = rest;
  switch (resource) {
    case "health":
      return health(node, accept);
    case "patterns":
      return { status: 200, body: ["*"] };
    case "matches": {
      const pattern = rest.length === 0 ? "*" : rest.join("/");
      const hasTextQuantities = accept.includes("asset-quantity=string");
      const body = matches(ledger, newestOf(node), { pattern, query, hasTextQuantities });
      return { status: 200, body };
    }
    case "checkpoints":
      return { status: 200, body: checkpoints(node, first, query) };
    case "datums": {
      if (!/^[0-9a-f]{64}$/.test(first ?? "")) throw new Hint(400, "A datum's hash has 64 digits.");
      const datum = ledger.datum(first ?? "");
      return { status: 200, body: datum === null ? null : { datum } };
    }
    case "scripts": {
      if (!/^[0-9a-f]{56}$/.test(first ?? ""))
        throw new Hint(400, "A script's hash has 56 digits.");
      const script = ledger.script(first ?? "");
      return { status: 200, body: script === null ? null : printScript(script) };
    }
    default:
      throw new Hint(404, "There is no such path.");
  }
}

/** Metrics in text, unless JSON or nothing in particular is accepted: also for any type, as clients send by themselves. */
function health(node: Node, accept: string): KupoAnswer {
  const { body, status } = healthObject(node);
  const isText =
    accept.includes("text/plain") || (accept !== "" && !accept.includes("application/json"));
  if (!isText) return { status, body };
  const lines = [
    "kupo_connection_status  1.0",
    `kupo_most_recent_checkpoint  ${newestOf(node)?.slot ?? 0}`,
    `kupo_most_recent_node_tip  ${node.ledger.tip()?.slot ?? 0}`,
  ];
  return { status, body: lines.map((line) => `${line}\n`).join("") };
}

function healthObject(node: Node): { readonly status: number; readonly body: PrintableObject } {
  const newest = newestOf(node);
  const synchronization = node.synchronization();
  const seconds = Math.floor(secondsBetween(node.tipChangedAt(), node.clock.now()));
  return {
    status: synchronization < 1 ? 202 : 200,
    body: {
      connection_status: "connected",
      most_recent_checkpoint: newest?.slot ?? null,
      most_recent_node_tip: node.ledger.tip()?.slot ?? null,
      seconds_since_last_block: Math.max(0, seconds),
      network_synchronization: synchronization,
      configuration: { indexes: "installed" },
      version: "v2.11.0 (simulated)",
    },
  };
}

/** The newest points, or the one at or before a slot. */
function checkpoints(node: Node, slotText: string | undefined, query: URLSearchParams): Printable {
  const newest = newestOf(node);
  if (slotText === undefined) return [...recent(newest)].map(point);
  if (!/^\d+$/.test(slotText)) throw new Hint(400, "A slot is an integer.");
  const slot = Number(slotText);
  let at = newest;
  while (at !== null && at.slot > slot) at = at.ancestor;
  if (at === null || (query.has("strict") && at.slot !== slot)) return null;
  return point(at);
}

const recentMax = 2_160;

function* recent(newest: Block | null): Iterable<Block> {
  let at = newest;
  for (let count = 0; at !== null && count < recentMax; count += 1) {
    yield at;
    at = at.ancestor;
  }
}

function point({ id, slot }: Block): PrintableObject {
  return { slot_no: slot, header_hash: id };
}
