import { fromBase58, isAddress } from "./address.ts";
import { blockIntervalMs } from "./block.ts";
import { isRecord, type Json, type JsonRecord } from "./json.ts";
import type { Ledger } from "./ledger.ts";
import { isParameter, withParameter } from "./parameters.ts";
import { readTransaction } from "./transaction.ts";

/** A command with a wrong member. */
export class WrongCommand extends Error {
  override readonly name = "WrongCommand";
}

/** What the sandbox and tests do with the ledger, outside the node's protocol. Rejects with `WrongCommand`. */
export type Control = (command: string, body: JsonRecord) => Promise<JsonRecord | null>;

const blocksMax = 2000;
const spacingMaxMs = 86_400_000;

/** The commands of the control endpoint by path; null for an unknown one. */
export function createControl(ledger: Ledger): Control {
  return async (command, body) => {
    switch (command) {
      case "/mine":
        return await mine(ledger, body);
      case "/reorg":
        return await reorg(ledger, body);
      case "/swallow-broadcasts":
        ledger.swallow(integer(body, "count", 0, Number.MAX_SAFE_INTEGER));
        return {};
      case "/set-parameter":
        return await setParameter(ledger, body);
      case "/set-energy-factor":
        return await setEnergyFactor(ledger, body);
      default:
        return null;
    }
  };
}

async function mine(ledger: Ledger, body: JsonRecord): Promise<JsonRecord> {
  const seconds = integer({ seconds: 0n, ...body }, "seconds", 0, 10 * 86_400);
  const blocks = integer({ blocks: 1n, ...body }, "blocks", 1, blocksMax);
  const spacing = integer(
    { spacing: BigInt(blockIntervalMs), ...body },
    "spacing",
    1,
    spacingMaxMs,
  );
  if (seconds > 0) await ledger.advance(seconds);
  await ledger.mine(blocks, spacing);
  return tip(ledger);
}

async function reorg(ledger: Ledger, body: JsonRecord): Promise<JsonRecord> {
  const depthMax = ledger.head().number - ledger.solid().number;
  const depth = integer(body, "depth", 1, depthMax);
  const transactions = body["transactions"] ?? "return";
  if (transactions !== "return" && transactions !== "drop")
    throw new WrongCommand('transactions is "return" or "drop"');
  const include = body["include"] ?? [];
  if (!Array.isArray(include)) throw new WrongCommand("include is a list of transactions");
  await ledger.reorg({
    depth,
    transactions,
    include: (include as readonly Json[]).map((item) => {
      if (!isRecord(item)) throw new WrongCommand("include is a list of transactions");
      return readTransaction(item, item["visible"] === true);
    }),
  });
  return tip(ledger);
}

async function setParameter(ledger: Ledger, body: JsonRecord): Promise<JsonRecord> {
  const name = body["name"];
  const value = body["value"];
  if (typeof name !== "string" || !isParameter(name))
    throw new WrongCommand("name is a key of getchainparameters");
  if (typeof value !== "bigint") throw new WrongCommand("value is an integer");
  await ledger.change((settings, now) => withParameter(settings, name, value, now));
  return {};
}

/** The penalty factor in ten-thousandths: 20,000 triples the energy. */
async function setEnergyFactor(ledger: Ledger, body: JsonRecord): Promise<JsonRecord> {
  const sentContract = body["contract"];
  const contract =
    typeof sentContract === "string" ? (fromBase58(sentContract) ?? sentContract) : "";
  if (!isAddress(contract)) throw new WrongCommand("contract is an address");
  const factor = BigInt(integer(body, "factor", 0, 1_000_000));
  await ledger.change((settings) => ({
    ...settings,
    energyFactors: { ...settings.energyFactors, [contract]: factor },
  }));
  return {};
}

function tip(ledger: Ledger): JsonRecord {
  const { number, id } = ledger.head();
  return { number, blockID: id, solid: ledger.solid().number };
}

function integer(body: JsonRecord, name: string, least: number, most: number): number {
  const value = body[name];
  if (typeof value !== "bigint" || value < BigInt(least) || value > BigInt(most))
    throw new WrongCommand(`${name} is an integer from ${least} to ${most}`);
  return Number(value);
}
