import { findChain } from "../currencies/chains.ts";
import { present } from "../kernel/assert.ts";
import type { SignedChain } from "../signer/create-draft-signers.ts";
import type { KeyDerivationCost } from "../signer/keystore.ts";
import type { Config } from "./config/config.ts";
import type { PayingSettings, SignerSettings } from "./run-signer.ts";

/**
 * The signer's part of a configuration. `createWithCost` null: it refuses to start without a keystore. Without keys that
 * approve payouts it signs none. On main networks it signs nothing without a limits file; on test networks, whose keys hold no
 * money, `limitsWhenAbsent` takes its place.
 */
export function signerSettings(
  config: Pick<Config, "signer" | "chains">,
  createWithCost: KeyDerivationCost | null,
  paying: Partial<Pick<PayingSettings, "approvalKeys" | "limitsWhenAbsent">> = {},
): SignerSettings {
  const isMain = Object.values(config.chains).some(({ network }) => network === "mainnet");
  return {
    folder: config.signer.folder,
    network: isMain ? "main" : "test",
    passphrase: { kind: "file", path: config.signer.passphrase_file },
    createWithCost,
    paying: {
      chains: Object.entries(config.chains).map(signedChain),
      approvalKeys: paying.approvalKeys ?? [],
      limitsWhenAbsent: isMain ? null : (paying.limitsWhenAbsent ?? "none"),
    },
  };
}

const utxoNetworks = { mainnet: "main", testnet: "test", regtest: "regtest" } as const;

function signedChain([chain, config]: [string, Config["chains"][string]]): SignedChain {
  const { network } = config;
  if (chain === "BTC" || chain === "LTC") {
    return { family: "utxo", chain, network: utxoNetworks[network] };
  }
  const ids = present(findChain(chain)?.evmChainIds, `chain ids of ${chain}`);
  const chainId = config.chain_id ?? (network === "mainnet" ? ids.mainnet : ids.testnet);
  return { family: "evm", chain, chainId };
}
