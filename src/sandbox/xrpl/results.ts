/*
 * Results of transactions with their numbers and texts, from rippled's TER.cpp. `tes` and `tec` transactions are in ledgers; all others
 * change nothing.
 */

const results = {
  telINSUF_FEE_P: [-394, "Fee insufficient."],
  telNO_DST_PARTIAL: [-393, "Partial payment to create account not allowed."],
  telWRONG_NETWORK: [
    -386,
    "Transaction specifies a Network ID that differs from that of the local node.",
  ],
  telREQUIRES_NETWORK_ID: [
    -385,
    "Transactions submitted to this node/network must include a correct NetworkID field.",
  ],
  telNETWORK_ID_MAKES_TX_NON_CANONICAL: [
    -384,
    "Transactions submitted to this node/network must NOT include a NetworkID field.",
  ],
  temMALFORMED: [-299, "Malformed transaction."],
  temBAD_AMOUNT: [-298, "Malformed: Bad amount."],
  temBAD_EXPIRATION: [-296, "Malformed: Bad expiration."],
  temBAD_FEE: [-295, "Invalid fee, negative or not XRP."],
  temBAD_OFFER: [-292, "Malformed: Bad offer."],
  temBAD_SEND_XRP_LIMIT: [-288, "Malformed: Limit quality is not allowed for XRP to XRP."],
  temBAD_SEND_XRP_MAX: [-287, "Malformed: Send max is not allowed for XRP to XRP."],
  temBAD_SEND_XRP_NO_DIRECT: [-286, "Malformed: No Ripple direct is not allowed for XRP to XRP."],
  temBAD_SEND_XRP_PARTIAL: [-285, "Malformed: Partial payment is not allowed for XRP to XRP."],
  temBAD_SEND_XRP_PATHS: [-284, "Malformed: Paths are not allowed for XRP to XRP."],
  temBAD_SIGNATURE: [-282, "Malformed: Bad signature."],
  temDST_IS_SRC: [-279, "Destination may not be source."],
  temINVALID_FLAG: [-276, "The transaction has an invalid flag."],
  temBAD_SIGNER: [-272, "Malformed: No signer may duplicate account or other signers."],
  temBAD_AMM_TOKENS: [-261, "Malformed: Invalid LPTokens."],
  temARRAY_EMPTY: [-253, "Malformed: Array is empty."],
  temARRAY_TOO_LARGE: [-252, "Malformed: Array is too large."],
  temINVALID_INNER_BATCH: [-250, "Malformed: Invalid inner batch transaction."],
  temREDUNDANT: [-275, "The transaction is redundant."],
  temDISABLED: [-273, "The transaction requires logic that is currently disabled."],
  tefALREADY: [-198, "The exact transaction was already in this ledger."],
  tefBAD_AUTH: [-196, "Transaction's public key is not authorized."],
  tefPAST_SEQ: [-190, "This sequence number has already passed."],
  tefMAX_LEDGER: [-187, "Ledger sequence too high."],
  terINSUF_FEE_B: [-97, "Account balance can't pay fee."],
  terNO_ACCOUNT: [-96, "The source account does not exist."],
  terPRE_SEQ: [-92, "Missing/inapplicable prior transaction."],
  terNO_RIPPLE: [-90, "Path does not allow rippling."],
  terQUEUED: [-89, "Held until escalated fee drops."],
  tesSUCCESS: [0, "The transaction was applied. Only final in a validated ledger."],
  tecPATH_PARTIAL: [101, "Path could not send full amount."],
  tecUNFUNDED_OFFER: [103, "Insufficient balance to fund created offer."],
  tecUNFUNDED_PAYMENT: [104, "Insufficient XRP balance to send."],
  tecUNFUNDED: [129, "Not enough XRP to satisfy the reserve requirement."],
  tecINSUF_RESERVE_LINE: [122, "Insufficient reserve to add trust line."],
  tecINSUF_RESERVE_OFFER: [123, "Insufficient reserve to create offer."],
  tecNO_DST: [124, "Destination does not exist. Send XRP to create it."],
  tecNO_DST_INSUF_XRP: [125, "Destination does not exist. Too little XRP sent to create it."],
  tecPATH_DRY: [128, "Path could not send partial amount."],
  tecNO_TARGET: [138, "Target account does not exist."],
  tecNO_PERMISSION: [139, "No permission to perform requested operation."],
  tecNO_ENTRY: [140, "No matching entry found."],
  tecINSUFFICIENT_RESERVE: [141, "Insufficient reserve to complete requested operation."],
  tecDST_TAG_NEEDED: [143, "A destination tag is required."],
  tecDUPLICATE: [149, "Ledger object already exists."],
  tecUNFUNDED_AMM: [162, "Insufficient balance to fund AMM."],
  tecHAS_OBLIGATIONS: [151, "The account cannot be deleted since it has obligations."],
  tecTOO_SOON: [152, "It is too early to attempt the requested operation. Please wait."],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type Result = keyof typeof results;

export function resultCode(result: Result): number {
  return results[result][0];
}

export function resultText(result: Result): string {
  return results[result][1];
}

/** Whether a ledger contains transactions with that result: each of them costs its fee. */
export function isInLedger(result: Result): boolean {
  return result === "tesSUCCESS" || result.startsWith("tec");
}
