import type { UtxoSite } from "../../../src/sandbox/sandbox-file.ts";
import { libauthPayer } from "../../support/libauth-payer.ts";
import { bitcoinjsPayer, type OutsidePayer } from "../../support/outside-payer.ts";
import { utxoLibPayer } from "../../support/utxo-lib-payer.ts";
import { unitsAt } from "../support/chain-facts.ts";
import { amountOf, unitsOf } from "../support/money.ts";
import type { OpenThirdParty } from "./third-party.ts";

/** Of the chains of coins; the prefixes are those of their private networks. */
const payers: Readonly<Record<string, () => OutsidePayer>> = {
  BTC: () => bitcoinjsPayer({ publicKeyHash: 0x6f, scriptHash: 0xc4, segwit: "bcrt" }),
  LTC: () => bitcoinjsPayer({ publicKeyHash: 0x6f, scriptHash: 0x3a, segwit: "rltc" }),
  DOGE: () => bitcoinjsPayer({ publicKeyHash: 0x6f, scriptHash: 0xc4, segwit: null }),
  DASH: () => bitcoinjsPayer({ publicKeyHash: 0x8c, scriptHash: 0x13, segwit: null }),
  BCH: libauthPayer,
  ZEC: utxoLibPayer,
};

/** Pays with bitcoinjs-lib, libauth or utxo-lib from a key of its own, which the faucet funds. */
export const payUtxo: OpenThirdParty<UtxoSite> = (chain, _reached, site) => {
  const create = payers[chain];
  if (create === undefined) throw new Error(`no library pays ${chain}`);
  const payer = create();
  return {
    pay: (alpha, { address }, amount) =>
      site.onChain(chain, async (control) => {
        const units = unitsOf(amount, alpha);
        const feeUnits = units / 100n;
        const funding = await control.pay(
          alpha,
          payer.address,
          amountOf(2n * units + feeUnits, alpha),
        );
        await control.mine(1);
        const raw = await control.node.command<string>("getrawtransaction", [funding]);
        const spend = await payer.spend(raw, [{ address, units }], feeUnits);
        await control.node.command("sendrawtransaction", [spend]);
      }),
    receiver: (alpha) => {
      const { address } = create();
      const held = () => site.onChain(chain, (control) => unitsAt(control, alpha, [address]));
      return Promise.resolve({ address, held });
    },
    close: () => Promise.resolve(),
  };
};
