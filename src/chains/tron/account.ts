import { Malformed, readFields } from "../rpc/answer.ts";
import { NodeError } from "../rpc/node-error.ts";
import { toHexAddress } from "./address.ts";
import { readHex, readList, readMessage, readUnits } from "./answer.ts";
import type { View } from "./questions.ts";
import type { TronQuestion } from "./tron-node.ts";

/** An account, and its coin in sun. */
export type Account = {
  readonly isContract: boolean;
  /** What it may spend. */
  readonly spendable: bigint;
  /** Staked, delegated to other accounts, or being unstaked. */
  readonly staked: bigint;
};

/** The account as of the view's newest block; null if the address is not activated. */
export function accountAt(view: View, address: string): TronQuestion<Account | null> {
  return {
    path: `/${view}/getaccount`,
    body: { address: toHexAddress(address) },
    read: (document) => {
      const fields = readFields(document);
      if (fields["address"] === undefined) return null;
      const resource = readFields(fields["account_resource"] ?? {});
      const staked = [
        ...readList(fields["frozenV2"]).map((item) => readFields(item)["amount"]),
        ...readList(fields["unfrozenV2"]).map((item) => readFields(item)["unfreeze_amount"]),
        fields["delegated_frozenV2_balance_for_bandwidth"],
        resource["delegated_frozenV2_balance_for_energy"],
      ];
      return {
        isContract: fields["type"] === "Contract",
        spendable: readUnits(fields["balance"]),
        staked: staked.reduce((sum: bigint, units) => sum + readUnits(units), 0n),
      };
    },
  };
}

/** The units of a token that an address holds as of the view's newest block. Rejects with `NodeError` if the call fails. */
export function tokenBalanceAt(
  view: View,
  contract: string,
  address: string,
): TronQuestion<bigint> {
  const holder = toHexAddress(address);
  return {
    path: `/${view}/triggerconstantcontract`,
    body: {
      owner_address: holder,
      contract_address: toHexAddress(contract),
      function_selector: "balanceOf(address)",
      parameter: holder.slice(2).padStart(64, "0"),
    },
    read: (document) => {
      const { result, constant_result } = readFields(document) as {
        result?: unknown;
        constant_result?: unknown;
      };
      const { result: isDone, code, message } = readFields(result ?? {});
      if (isDone !== true)
        throw new NodeError(`balanceOf of ${contract}: ${String(code)} ${readMessage(message)}`);
      const [word] = readList(constant_result);
      const digits = readHex(word);
      if (digits.length !== 64) throw new Malformed(`a balance of ${digits.length / 2} bytes`);
      return BigInt(`0x${digits}`);
    },
  };
}
