import type { Cell, ShardAccount } from "@ton/core";
import type { Block } from "../chain.ts";
import { readState } from "../machine.ts";
import { address, type Call, type Methods, masterBlockOf } from "./parameters.ts";
import { base64Of, printBlockId, printLastTransaction } from "./print.ts";
import { walletIn } from "./wallets.ts";

export const accountMethods: Methods = {
  getAddressInformation: (call) => {
    const { block, state } = accountIn(call);
    const { code, data } = contractOf(state);
    return {
      "@type": "raw.fullAccountState",
      balance: balanceOf(state),
      extra_currencies: [],
      last_transaction_id: printLastTransaction(state),
      block_id: printBlockId(block.id),
      code: code === null ? "" : base64Of(code),
      data: data === null ? "" : base64Of(data),
      frozen_hash: frozenHashOf(state),
      sync_utime: block.now,
      state: statusOf(state),
    };
  },
  getExtendedAddressInformation: (call) => {
    const { block, state } = accountIn(call);
    const { code, data } = contractOf(state);
    const wallet = code === null || data === null ? null : walletIn(code, data);
    return {
      "@type": "fullAccountState",
      address: { "@type": "accountAddress", account_address: address(call.params).toString() },
      balance: balanceOf(state),
      extra_currencies: [],
      last_transaction_id: printLastTransaction(state),
      block_id: printBlockId(block.id),
      sync_utime: block.now,
      account_state:
        code === null || data === null
          ? { "@type": "uninited.accountState", frozen_hash: frozenHashOf(state) }
          : (wallet?.accountState ?? {
              "@type": "raw.accountState",
              code: base64Of(code),
              data: base64Of(data),
              frozen_hash: "",
            }),
      revision: wallet?.revision ?? 0,
    };
  },
  getWalletInformation: (call) => {
    const { state } = accountIn(call);
    const { code, data } = contractOf(state);
    const wallet = code === null || data === null ? null : walletIn(code, data);
    return {
      "@type": "ext.accounts.walletInformation",
      wallet: wallet !== null,
      balance: balanceOf(state),
      account_state: statusOf(state),
      last_transaction_id: printLastTransaction(state),
      ...wallet?.information,
    };
  },
  getAddressBalance: (call) => balanceOf(accountIn(call).state),
  getAddressState: (call) => statusOf(accountIn(call).state),
};

/** The state of an account after the masterchain block that a request names; null if it does not exist. */
export function accountIn(call: Call): {
  readonly block: Block;
  readonly state: ShardAccount | null;
} {
  const account = address(call.params).toRawString();
  const block = masterBlockOf(call);
  const state = call.ledger.stateAt(account, block.id.seqno);
  return { block, state: state === null ? null : readState(state) };
}

export function balanceOf(state: ShardAccount | null): string {
  return String(state?.account?.storage.balance.coins ?? 0n);
}

/** As toncenter has it: an account that does not exist is "uninitialized" as well. */
export function statusOf(state: ShardAccount | null): "active" | "frozen" | "uninitialized" {
  const type = state?.account?.storage.state.type;
  return type === "active" || type === "frozen" ? type : "uninitialized";
}

export function contractOf(state: ShardAccount | null): {
  readonly code: Cell | null;
  readonly data: Cell | null;
} {
  const stored = state?.account?.storage.state;
  if (stored?.type !== "active") return { code: null, data: null };
  return { code: stored.state.code ?? null, data: stored.state.data ?? null };
}

function frozenHashOf(state: ShardAccount | null): string {
  const stored = state?.account?.storage.state;
  if (stored?.type !== "frozen") return "";
  return Buffer.from(stored.stateHash.toString(16).padStart(64, "0"), "hex").toString("base64");
}
