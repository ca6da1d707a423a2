import { createEvmPayeeAddressing } from "../../../src/chains/evm/payee-addressing.ts";
import type { PayeeAddressing } from "../../../src/chains/port.ts";
import { createTronPayeeAddressing } from "../../../src/chains/tron/payee-addressing.ts";
import { createUtxoPayeeAddressing } from "../../../src/chains/utxo/payee-addressing.ts";
import { utxoChainOf } from "../../../src/chains/utxo/utxo-chain.ts";
import { createXrplPayeeAddressing } from "../../../src/chains/xrpl/payee-addressing.ts";
import { builtInCurrencies } from "../../../src/currencies/built-in-currencies.ts";
import { coins } from "../../../src/currencies/coins.ts";
import cashAddresses from "../../vectors/cash-addresses.json" with { type: "json" };
import { type Target, textOf } from "../engine/target.ts";

/** Addresses of every family, with and without a tag after a space. */
const seeds: readonly string[] = [
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
  "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
  "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
  "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
  "t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs",
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
  "rnZoUopPFXRSVGdeDkgbqdft8SbXfJxKYh 12345",
  "XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi",
  ...cashAddresses.translations.flatMap((one) => Object.values(one)),
];

function addressingTarget(name: string, addressing: PayeeAddressing): Target {
  return {
    name,
    form: "text",
    seeds: () => seeds,
    words: ["bitcoincash:", "bchtest:", "bc1", "ltc1", "0x", "X", "T", " 0", " 4294967295"],
    run: (input) => {
      const [address = "", tag = null] = textOf(input).split(" ");
      const parsed = addressing.parse(address, tag);
      if (parsed === null) return;
      const again = addressing.parse(parsed.address, parsed.tag);
      if (again === null || addressing.watchKey(again) !== addressing.watchKey(parsed))
        throw new Error(`${parsed.address} is not the canonical form of ${address}`);
      for (const spelling of Object.values(addressing.spell?.(parsed) ?? {})) {
        const spelled = addressing.parse(spelling, parsed.tag);
        if (spelled === null || addressing.watchKey(spelled) !== addressing.watchKey(parsed))
          throw new Error(`${spelling} does not spell ${parsed.address}`);
      }
    },
  };
}

const utxoTargets = coins
  .filter(({ chain }) => chain.family === "utxo" && chain.facts !== null)
  .map((coin) =>
    addressingTarget(
      `address-${coin.chain.id.toLowerCase()}`,
      createUtxoPayeeAddressing(utxoChainOf(coin), "main"),
    ),
  );

export const addressTargets: readonly Target[] = [
  ...utxoTargets,
  addressingTarget("address-evm", createEvmPayeeAddressing(builtInCurrencies)),
  addressingTarget("address-tron", createTronPayeeAddressing(builtInCurrencies)),
  addressingTarget("address-xrpl", createXrplPayeeAddressing("main")),
];
