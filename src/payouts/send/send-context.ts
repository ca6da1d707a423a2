import type { PayeeAddressing } from "../../chains/port.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import type { SpendContext } from "../../treasury/spends/spend-context.ts";
import type { PayoutContext } from "../change-payouts.ts";
import type { SendSettings } from "./choose-groups.ts";

/** Everything that sending one chain's payouts takes. */
export type SendContext = SpendContext &
  PayoutContext & {
    readonly addressing: Pick<PayeeAddressing, "parse">;
    /** The account that pays; null on chains of coins. */
    readonly hot: string | null;
    /** Our own accounts whose gaps of nonces are filled; none on chains of coins. */
    readonly senders: readonly string[];
    readonly payoutsSigned: SignerClient["payoutsSigned"];
    readonly sending: SendSettings;
  };
