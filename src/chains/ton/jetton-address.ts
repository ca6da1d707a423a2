import { Address, beginCell, Cell, storeStateInit } from "@ton/core";
import type { JettonWalletForm } from "../../currencies/ton-facts.ts";

/**
 * The account id of an owner's wallet of a jetton, as the jetton's master computes it: the hash of the wallet's code and of its data without
 * money. Only the code's hash is known, so a pruned branch takes the place of its cell. Both accounts are in the basic workchain.
 */
export function jettonWalletId(
  owner: Uint8Array,
  master: Uint8Array,
  form: JettonWalletForm,
): Uint8Array {
  const code = prunedBranch(form);
  const data = beginCell();
  if (form.layout === "stablecoin") data.storeUint(0, 4);
  data.storeCoins(0);
  for (const id of [owner, master]) data.storeAddress(new Address(0, Buffer.from(id)));
  if (form.layout === "tep-74") data.storeRef(code);
  const init = beginCell()
    .store(storeStateInit({ code, data: data.endCell() }))
    .endCell();
  // Of the cell as it is with the code in place of the pruned branch.
  return Uint8Array.from(init.hash(0));
}

function prunedBranch({ codeDepth, codeHash }: JettonWalletForm): Cell {
  const bits = beginCell()
    .storeUint(1, 8)
    .storeUint(1, 8)
    .storeBuffer(Buffer.from(codeHash, "hex"))
    .storeUint(codeDepth, 16)
    .endCell().bits;
  return new Cell({ exotic: true, bits });
}
