import type { PayeeAddressing } from "../../chains/port.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import type { SpendContext } from "../../treasury/spends/spend-context.ts";
import type { PayoutContext } from "../change-payouts.ts";
import type { SendSettings } from "./choose-groups.ts";

/** What sending one chain's payouts requires. */
export type SendContext = SpendContext &
  PayoutContext & {
    readonly addressing: Pick<PayeeAddressing, "parse">;
    /** The paying account; null on UTXO chains. */
    readonly hot: string | null;
    /** Our accounts whose sequence gaps are filled; empty on UTXO chains. */
    readonly senders: readonly string[];
    readonly payoutsSigned: SignerClient["payoutsSigned"];
    readonly sending: SendSettings;
  };
