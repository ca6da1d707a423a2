import type { AlgorandFacts } from "./algorand-facts.ts";
import type { CardanoFacts } from "./cardano-facts.ts";
import type { ChainId } from "./currency.ts";
import type { EvmFacts } from "./evm-facts.ts";
import type { MoneroFacts } from "./monero-facts.ts";
import type { StellarFacts } from "./stellar-facts.ts";
import type { TokenFormat } from "./token-format.ts";
import type { TonFacts } from "./ton-facts.ts";
import type { TronFacts } from "./tron-facts.ts";
import type { UtxoFacts } from "./utxo-facts.ts";
import type { XrplFacts } from "./xrpl-facts.ts";

/** What a payment has to name in addition to an address that several receivers share. */
export type TagKind = "destination-tag" | "memo" | "comment";

/**
 * The form of payment URIs: BIP-321 (its predecessor BIP-21, CIP-13) with a scheme of the chain, ERC-681, SEP-7, ARC-90, `ton://transfer`, or
 * the amount as `tx_amount` behind a scheme of the chain, as Monero's own wallet has it.
 */
export type PaymentUriForm =
  | { readonly kind: "bip321"; readonly scheme: string }
  | { readonly kind: "sep7" }
  | { readonly kind: "arc90" }
  | { readonly kind: "ton-transfer" }
  | { readonly kind: "tx-amount"; readonly scheme: string }
  | { readonly kind: "erc681" };

type SharedFacts = {
  /** The network's name; `blockchain_name` on the wire. */
  readonly name: string;
  /** SLIP-44 number in the paths of keys; on every EVM chain 60, as in wallets. Test networks use 1. */
  readonly coinType: number;
  /** Deepest reorg that a follower rolls back on its own, in blocks; null if inclusion is final. */
  readonly reorgLimit: number | null;
  /**
   * Whether a payout of the chain's coin may take the network fee out of its amount (`is_fee_included`). The interface rules this
   * out for ADA, ARB, AVAX, BNB, ETH, ETH-BASE, MATIC, OPT, TRX, XLM, XMR and XRP.
   */
  readonly canIncludeFee: boolean;
  /**
   * Whether a payout may pay an address of its own wallet. The interface allows it on "BTC, BCH, BSC, ADA, DASH, DOGE, ETH, LTC,
   * OMNI, TRX, ZCASH" (error 4007).
   */
  readonly canPayItself: boolean;
  /** Null if every receiver has an address of its own. */
  readonly tag: TagKind | null;
  /** Null if wallets agree on none; codes and links then hold the plain address. */
  readonly paymentUri: PaymentUriForm | null;
  /** A public explorer of the main network: the address of a transaction, up to its id. */
  readonly explorer: string;
  /** How tokens are identified; null if none can be added. */
  readonly tokens: TokenFormat | null;
};

/** Chains of one family share code and differ only in data. `facts` is null while the program has no adapter for the chain. */
export type ChainFacts = SharedFacts &
  (
    | { readonly family: "utxo"; readonly facts: UtxoFacts | null }
    | { readonly family: "evm"; readonly facts: EvmFacts | null }
    | { readonly family: "tron"; readonly facts: TronFacts | null }
    | { readonly family: "xrpl"; readonly facts: XrplFacts | null }
    | { readonly family: "stellar"; readonly facts: StellarFacts | null }
    | { readonly family: "algorand"; readonly facts: AlgorandFacts | null }
    | { readonly family: "monero"; readonly facts: MoneroFacts | null }
    | { readonly family: "ton"; readonly facts: TonFacts | null }
    | { readonly family: "cardano"; readonly facts: CardanoFacts | null }
    | {
        readonly family: "omni";
        readonly facts: null;
      }
  );

export type ChainFamily = ChainFacts["family"];

/** A chain. Its id is the alpha code of its coin. */
export type ChainRecord = ChainFacts & { readonly id: ChainId };

/** Whether the program has an adapter for the chain; otherwise its currencies are unavailable in every deployment. */
export function isBuilt({ facts }: ChainRecord): boolean {
  return facts !== null;
}

/** Deeper than every reorg on record, and shallow enough that the follower stops when a node rewrites its chain. */
export const proofOfWorkReorgLimit = 100;
