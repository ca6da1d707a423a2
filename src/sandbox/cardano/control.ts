import type { JsonObject } from "../../platform/kernel/json.ts";
import { securityParameter } from "./genesis.ts";
import type { Node } from "./node.ts";

/** A command with a wrong member. */
export class WrongCommand extends Error {
  override readonly name = "WrongCommand";
}

/** What the sandbox and tests do with the ledger outside the node's protocols. Rejects with `WrongCommand`. */
export type Control = (command: string, body: JsonObject) => Promise<JsonObject | null>;

const blocksMax = 3_000;
const slotsMax = 1_000_000;
const secondsMax = 86_400;
const outcomes = ["wait", "include", "drop"] as const;

/** The commands of the control endpoint by path; null for an unknown one. Each answers with the newest block. */
export function createControl(node: Node): Control {
  const { ledger } = node;
  return async (command, body) => {
    switch (command) {
      case "/mine":
        await ledger.mine({
          blocks: integerIn({ blocks: 1, ...body }, "blocks", 1, blocksMax),
          slots: integerIn({ slots: 1, ...body }, "slots", 1, slotsMax),
          isEmpty: body["empty"] === true,
        });
        break;
      case "/reorg": {
        const height = ledger.tip()?.height ?? 0;
        const depth = integerIn(body, "depth", 1, Math.min(height, securityParameter));
        const blocks = integerIn({ blocks: depth + 1, ...body }, "blocks", 1, blocksMax);
        const wanted = body["transactions"] ?? "wait";
        const transactions = outcomes.find((outcome) => outcome === wanted);
        if (transactions === undefined)
          throw new WrongCommand(`transactions is one of ${outcomes.join(", ")}`);
        await ledger.reorg({ depth, blocks, transactions });
        break;
      }
      case "/evict":
        await ledger.evict();
        break;
      case "/swallow-broadcasts":
        ledger.swallow(integerIn(body, "count", 0, Number.MAX_SAFE_INTEGER));
        break;
      case "/lag-kupo":
        node.setKupoLag(integerIn(body, "blocks", 0, blocksMax));
        break;
      case "/catch-up":
        node.catchUp(integerIn(body, "seconds", 0, secondsMax));
        break;
      case "/pause":
        node.pause(integerIn(body, "seconds", 0, secondsMax));
        break;
      default:
        return null;
    }
    const { hash, height, slot } = newest(node);
    return { height, slot, hash };
  };
}

function newest({ ledger }: Node): { height: number; slot: number; hash: string } {
  const tip = ledger.tip();
  return { height: tip?.height ?? -1, slot: tip?.slot ?? -1, hash: tip?.id ?? "" };
}

function integerIn(body: JsonObject, name: string, least: number, most: number): number {
  const value = body[name];
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
    throw new WrongCommand(`${name} is an integer from ${least} to ${most}`);
  return value;
}
