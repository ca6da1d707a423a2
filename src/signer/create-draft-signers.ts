import { join } from "node:path";
import type { Clock } from "../platform/kernel/clock.ts";
import type { Random } from "../platform/kernel/random.ts";
import { createAlgorandDraftSigner } from "./algorand/draft-signer.ts";
import type { CardanoNetwork } from "./cardano/cardano-network.ts";
import { createCardanoDraftSigner } from "./cardano/draft-signer.ts";
import type { ChainSigner } from "./draft-signer.ts";
import { createEvmDraftSigner } from "./evm/draft-signer.ts";
import type { IntendedAsset } from "./intent.ts";
import type { KeyNetwork } from "./keys/account-paths.ts";
import type { MoneroNetwork } from "./monero/address.ts";
import { createMoneroDraftSigner } from "./monero/draft-signer.ts";
import { createOfflineWallet } from "./monero/offline-wallet.ts";
import { createStellarDraftSigner } from "./stellar/draft-signer.ts";
import { createTonDraftSigner } from "./ton/draft-signer.ts";
import type { JettonWalletForm } from "./ton/jetton-wallet.ts";
import { createTronDraftSigner } from "./tron/draft-signer.ts";
import { createUtxoDraftSigner } from "./utxo/draft-signer.ts";
import type { UtxoNetwork } from "./utxo/utxo-network.ts";
import { createXrplDraftSigner } from "./xrpl/draft-signer.ts";

/** A chain that the signer signs on, from its own configuration. `chain` is the alpha code of its coin. */
export type SignedChain = {
  /** The assets that may be paid there, by currency id. */
  readonly assets: Readonly<Record<string, IntendedAsset>>;
} & (
  | { readonly family: "utxo"; readonly chain: string; readonly network: UtxoNetwork }
  /** EIP-155. */
  | { readonly family: "evm"; readonly chain: string; readonly chainId: number }
  | { readonly family: "tron"; readonly chain: string; readonly network: KeyNetwork }
  /** The network's number. */
  | {
      readonly family: "xrpl";
      readonly chain: string;
      readonly network: KeyNetwork;
      readonly networkId: number;
    }
  | {
      readonly family: "stellar";
      readonly chain: string;
      readonly network: KeyNetwork;
      readonly passphrase: string;
      /** How many channels its hot account may have. */
      readonly channels: number;
    }
  /** The genesis hash in base64. */
  | {
      readonly family: "algorand";
      readonly chain: string;
      readonly network: KeyNetwork;
      readonly genesisHash: string;
    }
  /** The network whose addresses are paid; private chains use those of the main network. */
  | {
      readonly family: "monero";
      readonly chain: string;
      readonly network: KeyNetwork;
      readonly addresses: MoneroNetwork;
    }
  | { readonly family: "cardano"; readonly chain: string; readonly network: CardanoNetwork }
  /** The wallets of each jetton, by its locator. */
  | {
      readonly family: "ton";
      readonly chain: string;
      readonly network: KeyNetwork;
      readonly jettonWallets: Readonly<Record<string, JettonWalletForm>>;
    }
);

/** What draft signers need of the process. */
export type SignerContext = {
  readonly clock: Clock;
  readonly random: Random;
  /** The signer's own folder. */
  readonly folder: string;
  /** The path of monero-wallet-rpc; it starts with the first draft that it signs. */
  readonly walletProgram: string;
};

/** Creates the draft signers of the chains; `coldOf` returns the cold address of a chain. */
export function createDraftSigners(
  chains: readonly SignedChain[],
  coldOf: (chain: string) => string | null,
  { clock, random, folder, walletProgram }: SignerContext,
): readonly ChainSigner[] {
  return chains.map((signed) => {
    const coldAddress = coldOf(signed.chain);
    switch (signed.family) {
      case "utxo":
        return createUtxoDraftSigner({ chain: signed.chain, network: signed.network, coldAddress });
      case "evm":
        return createEvmDraftSigner({ chain: signed.chain, chainId: signed.chainId, coldAddress });
      case "tron":
        return createTronDraftSigner({
          chain: signed.chain,
          network: signed.network,
          coldAddress,
          clock,
        });
      case "xrpl":
        return createXrplDraftSigner({
          chain: signed.chain,
          network: signed.network,
          networkId: signed.networkId,
          coldAddress,
        });
      case "stellar":
        return createStellarDraftSigner({
          chain: signed.chain,
          network: signed.network,
          passphrase: signed.passphrase,
          assets: Object.values(signed.assets),
          channels: signed.channels,
          coldAddress,
          clock,
        });
      case "algorand":
        return createAlgorandDraftSigner({
          chain: signed.chain,
          network: signed.network,
          genesisHash: signed.genesisHash,
          assets: Object.values(signed.assets),
          coldAddress,
        });
      case "monero": {
        const { chain, network, addresses } = signed;
        const wallet = createOfflineWallet({
          program: walletProgram,
          folder: join(folder, `wallet-${chain}`),
          network: addresses,
          clock,
          random,
        });
        return createMoneroDraftSigner({ chain, network, addresses, coldAddress, wallet });
      }
      case "cardano":
        return createCardanoDraftSigner({
          chain: signed.chain,
          network: signed.network,
          coldAddress,
          clock,
        });
      case "ton":
        return createTonDraftSigner({
          chain: signed.chain,
          network: signed.network,
          jettonWallets: signed.jettonWallets,
          coldAddress,
          clock,
        });
    }
  });
}
