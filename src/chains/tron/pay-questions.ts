import { Malformed, readFields } from "../rpc/answer.ts";
import { NodeError } from "../rpc/node-error.ts";
import { coreHex, toHexAddress } from "./address.ts";
import { readHex, readList, readMessage, readUnits } from "./answer.ts";
import { transferData } from "./build-transaction.ts";
import type { TronQuestion } from "./tron-node.ts";

/*
 * Requests that paying needs beyond those of the reader. All answers are as of the newest block, on top of which a payment
 * executes.
 */

/** The parameters of the chain that decide what transactions cost; in sun, governed by votes. */
export type Prices = {
  readonly sunPerByte: bigint;
  readonly sunPerEnergy: bigint;
  /** What a transfer that creates its receiver costs, instead of bandwidth. */
  readonly activationUnits: bigint;
  /** The highest fee limit that a transaction may have. */
  readonly feeLimitMax: bigint;
};

export const currentPrices: TronQuestion<Prices> = {
  path: "/wallet/getchainparameters",
  body: {},
  read: (document) => {
    const values = new Map(
      readList(readFields(document)["chainParameter"])
        .map(readFields)
        .map(({ key, value }) => [key, value]),
    );
    const valueOf = (key: string): bigint => {
      if (!values.has(key)) throw new Malformed(`no ${key}`);
      return readUnits(values.get(key));
    };
    return {
      sunPerByte: valueOf("getTransactionFee"),
      sunPerEnergy: valueOf("getEnergyFee"),
      activationUnits:
        valueOf("getCreateAccountFee") + valueOf("getCreateNewAccountFeeInSystemContract"),
      feeLimitMax: valueOf("getMaxFeeLimit"),
    };
  },
};

/** What a call would do now. `penalty` is the part of `energy` that the dynamic energy model adds for a busy contract. */
export type Simulation =
  | { readonly kind: "succeeds"; readonly energy: bigint; readonly penalty: bigint }
  | { readonly kind: "fails"; readonly reason: string };

/**
 * A token's transfer on the newest state. It succeeds only if the token confirms it, by returning true or by its `Transfer` log:
 * Tether's contract on TRON returns false for every transfer.
 */
export function simulatedTransfer(call: {
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}): TronQuestion<Simulation> {
  return {
    path: "/wallet/triggerconstantcontract",
    body: {
      owner_address: toHexAddress(call.from),
      contract_address: toHexAddress(call.contract),
      data: transferData(call.to, call.units),
    },
    read: (document) => {
      const fields = readFields(document);
      const { result, code, message } = readFields(fields["result"] ?? {}) as {
        result?: unknown;
        code?: unknown;
        message?: unknown;
      };
      const reason = readMessage(message);
      if (result !== true) return readRefusal(code, reason);
      const [outcome] = readList(readFields(fields["transaction"] ?? {})["ret"]);
      const ret = readFields(outcome ?? {})["ret"];
      if (ret === "FAILED" || reason !== "") return { kind: "fails", reason };
      if (!returnsTrue(fields["constant_result"]) && !logsTransfer(fields["logs"], call))
        return { kind: "fails", reason: "the token reports no transfer" };
      return {
        kind: "succeeds",
        energy: readUnits(fields["energy_used"]),
        penalty: readUnits(fields["energy_penalty"]),
      };
    },
  };
}

/** The virtual machine's own exceptions, such as a wrong opcode; other errors are the node's. */
const machineFault = /Program\$|Smart contract is not exist/;

function readRefusal(code: unknown, reason: string): Simulation {
  if (machineFault.test(reason)) return { kind: "fails", reason };
  throw new NodeError(`a simulated transfer: ${String(code)} ${reason}`);
}

function returnsTrue(results: unknown): boolean {
  const [word] = readList(results);
  return /^0{63}1$/.test(readHex(word));
}

const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

function logsTransfer(
  logs: unknown,
  { contract, from, to }: { readonly contract: string; readonly from: string; readonly to: string },
): boolean {
  const expected = [transferTopic, ...[from, to].map((one) => coreHex(one).padStart(64, "0"))];
  return readList(logs)
    .map(readFields)
    .some(
      ({ address, topics }) =>
        readHex(address).endsWith(coreHex(contract)) &&
        readList(topics).map(readHex).join() === expected.join(),
    );
}

/** A node's answer to a broadcast: `code` is java-tron's `response_code`, `SUCCESS` or what was wrong. */
export type BroadcastAnswer = { readonly code: string; readonly message: string };

export function broadcastOf(raw: Uint8Array): TronQuestion<BroadcastAnswer> {
  return {
    path: "/wallet/broadcasthex",
    body: { transaction: Buffer.from(raw).toString("hex") },
    read: (document) => {
      const { result, code, message } = readFields(document) as {
        result?: unknown;
        code?: unknown;
        message?: unknown;
      };
      if (result === true) return { code: "SUCCESS", message: "" };
      if (typeof code !== "string") throw new Malformed("no code of a broadcast");
      return { code, message: typeof message === "string" ? message : "" };
    },
  };
}

/** What an account's stakes give it, and how much of that it has used. */
export type Resources = {
  /** Bytes that it may send now without paying: those of its stake, or else those that every account has per day. */
  readonly stakedBandwidth: bigint;
  readonly freeBandwidth: bigint;
  readonly energy: bigint;
  /** The chain's energy per day, and the TRX staked for it. */
  readonly totalEnergy: bigint;
  readonly totalEnergyStake: bigint;
};

export function resourcesOf(address: string): TronQuestion<Resources> {
  return {
    path: "/wallet/getaccountresource",
    body: { address: toHexAddress(address) },
    read: (document) => {
      const fields = readFields(document);
      const left = (limit: string, used: string): bigint => {
        const rest = readUnits(fields[limit]) - readUnits(fields[used]);
        return rest > 0n ? rest : 0n;
      };
      return {
        stakedBandwidth: left("NetLimit", "NetUsed"),
        freeBandwidth: left("freeNetLimit", "freeNetUsed"),
        energy: left("EnergyLimit", "EnergyUsed"),
        totalEnergy: readUnits(fields["TotalEnergyLimit"]),
        totalEnergyStake: readUnits(fields["TotalEnergyWeight"]),
      };
    },
  };
}

/** The sun staked for energy that the account can delegate now: neither delegated nor in use. */
export function lendableStake(address: string): TronQuestion<bigint> {
  const energy = 1;
  return {
    path: "/wallet/getcandelegatedmaxsize",
    body: { owner_address: toHexAddress(address), type: energy },
    read: (document) => readUnits(readFields(document)["max_size"]),
  };
}

/** The sun whose energy one account delegates to another. */
export function lentStake(from: string, to: string): TronQuestion<bigint> {
  return {
    path: "/wallet/getdelegatedresourcev2",
    body: { fromAddress: toHexAddress(from), toAddress: toHexAddress(to) },
    read: (document) =>
      readList(readFields(document)["delegatedResource"])
        .map((item) => readUnits(readFields(item)["frozen_balance_for_energy"]))
        .reduce((sum, units) => sum + units, 0n),
  };
}
