import { beginCell, type Cell, loadMessage, loadTransaction, storeMessage } from "@ton/core";
import type { Submitted } from "../ledger.ts";
import { ToncenterError } from "../toncenter-error.ts";
import { address, bagOfCells, type Call, type Methods, text } from "./parameters.ts";

export const sendMethods: Methods = {
  sendBoc: async (call) => {
    await send(call);
    return { "@type": "ok" };
  },
  sendBocReturnHash: async (call) => {
    const message = await send(call);
    return {
      "@type": "raw.extMessageInfo",
      hash: message.hash().toString("base64"),
      hash_norm: normalHash(message),
    };
  },
  estimateFee: async ({ ledger, params }) => {
    const init = ["init_code", "init_data"].map((name) => {
      const value = params[name];
      return typeof value === "string" && value !== "" ? bagOfCells(value, name) : null;
    });
    const message = beginCell()
      .store(
        storeMessage({
          info: { type: "external-in", dest: address(params), importFee: 0n },
          init: init.every((one) => one === null)
            ? null
            : { code: init[0] ?? null, data: init[1] ?? null },
          body: bagOfCells(text(params, "body"), "body"),
        }),
      )
      .endCell();
    const ran = await ledger.tryOut(message, params["ignore_chksig"] !== false);
    if (ran.kind === "refused")
      throw new ToncenterError(500, "EMULATION_FAILED: external message was not accepted");
    return { "@type": "query.fees", source_fees: feesIn(ran.transaction), destination_fees: [] };
  },
};

/** Takes an external message; an error with the texts of a node otherwise. */
export async function send({ ledger, params }: Call): Promise<Cell> {
  const message = bagOfCells(text(params, "boc"), "body");
  if (!isExternal(message)) throw new ToncenterError(500, "Failed to unpack Message");
  const submitted = await ledger.submit(message);
  if (submitted.kind !== "taken")
    throw new ToncenterError(
      500,
      `LITE_SERVER_UNKNOWN: cannot apply external message to current state : ${reason(submitted)}`,
    );
  return message;
}

function isExternal(message: Cell): boolean {
  try {
    return loadMessage(message.beginParse()).info.type === "external-in";
  } catch {
    return false;
  }
}

function reason(refused: Exclude<Submitted, { readonly kind: "taken" }>): string {
  if (refused.kind === "no account") return "Failed to unpack account state";
  const account = refused.account.slice(refused.account.indexOf(":") + 1).toUpperCase();
  const rejected =
    "External message was not accepted: cannot run message on account: inbound external message rejected by";
  if (refused.exit === null)
    return `${rejected} account ${account} before smart-contract execution`;
  const { code, log, steps } = refused.exit;
  return `${rejected} transaction ${account}:\nexitcode=${code}, steps=${steps}, gas_used=0${
    log === "" ? "" : `\nVM Log (truncated):\n...${log}`
  }`;
}

/** The hash of an external message as wallets and indexers name it (TEP-467): without init and fee, with the body in its own cell. */
export function normalHash(message: Cell): string {
  const { body, info } = loadMessage(message.beginParse());
  if (info.type !== "external-in") return message.hash().toString("base64");
  const normal = beginCell()
    .storeUint(0b10, 2)
    .storeUint(0, 2)
    .storeAddress(info.dest)
    .storeCoins(0n)
    .storeBit(false)
    .storeBit(true)
    .storeRef(body)
    .endCell();
  return normal.hash().toString("base64");
}

/** What a message's own transaction costs, in nanotons. */
function feesIn(cell: Cell): object {
  const { description, totalFees } = loadTransaction(cell.beginParse());
  if (description.type !== "generic") throw new ToncenterError(500, "EMULATION_FAILED");
  const { actionPhase, computePhase, storagePhase } = description;
  const storage = storagePhase?.storageFeesCollected ?? 0n;
  const gas = computePhase.type === "vm" ? computePhase.gasFees : 0n;
  const actions = actionPhase?.totalActionFees ?? 0n;
  return {
    "@type": "fees",
    in_fwd_fee: Number(totalFees.coins - storage - gas - actions),
    storage_fee: Number(storage),
    gas_fee: Number(gas),
    fwd_fee: Number(actionPhase?.totalFwdFees ?? 0n),
  };
}
