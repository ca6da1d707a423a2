import { present } from "./assert.ts";

const row = (status: number, code: string, title: string) => ({ status, code, title });

/**
 * All errors that a request can be rejected with, in order of precedence: faults of the request's head, then of the body's form,
 * then of its values. If several apply, the first is returned; field errors of one row are returned together.
 * Rows and codes follow the interface's error tables; codes in words are used where the interface defines no number.
 * `docs/errors.md` is generated from this table.
 */
export const rejections = {
  requestTimeout: row(408, "request_timeout", "Request timeout"),
  headersTooLarge: row(431, "headers_too_large", "Request headers too large"),
  expectationFailed: row(417, "expectation_failed", "Expectation failed"),
  methodNotAllowed: row(405, "method_not_allowed", "Method not allowed"),
  notAcceptable: row(406, "not_acceptable", "No acceptable media type"),
  unsupportedMediaType: row(415, "unsupported_media_type", "Unsupported media type"),
  unauthenticated: row(401, "2007", "No active account with the given credentials"),
  secondFactorDue: row(401, "second_factor_required", "Second factor required"),
  addressNotAllowed: row(403, "2016", "Network address not allowed for the credential"),
  throttled: row(429, "throttled", "Request was throttled"),
  idempotencyKeyMissing: row(428, "1003", "Idempotency key is missing"),
  bodyTooLarge: row(413, "payload_too_large", "Request body too large"),
  parseError: row(400, "parse_error", "Document cannot be parsed"),
  typeConflict: row(409, "conflict", "Wrong resource type or id"),
  clientGeneratedId: row(403, "forbidden", "IDs are assigned by the service"),
  idempotencyKeyUsed: row(409, "1004", "Idempotency key already used"),
  permissionDenied: row(403, "permission_denied", "Permission denied"),
  confirmationDue: row(
    403,
    "confirmation_required",
    "Confirmation with password or second factor required",
  ),
  accountNotReady: row(403, "403", "Permission denied"),
  notFound: row(404, "404", "Object not found"),
  depositEnded: row(409, "deposit_ended", "The deposit is closed"),
  currencyChosen: row(409, "currency_chosen", "The currency has already been chosen"),
  rateInForce: row(409, "rate_in_force", "The rate has not expired"),
  refundNotAsked: row(409, "refund_not_asked", "No refund address is requested"),
  noPermissionToView: row(400, "5001", "No permission to view"),
  fieldMissing: row(400, "1006", "Missing field"),
  invalidValue: row(400, "1007", "Invalid value"),
  walletInactive: row(400, "3008", "Wallet inactive or still being registered"),
  walletNotActivated: row(400, "3021", "Wallet activation transfer required"),
  walletTypeInvalid: row(400, "3022", "Wallet type must be Enterprise, Merchant or Swap"),
  payoutNotPermitted: row(400, "4002", "Payout cannot be made from the wallet"),
  payoutToItself: row(400, "4007", "Funds sent to the wallet they are paid from"),
  insufficientFunds: row(400, "4008", "Insufficient funds"),
  feeOutOfRange: row(400, "4009", "Blockchain fee too high or too low"),
  feeOnToken: row(400, "4010", "Blockchain fee cannot be applied to tokens"),
  amountNotPositive: row(400, "4011", "Amount zero or negative"),
  trackingIdUsed: row(400, "4012", "tracking_id is not unique for the wallet"),
  amountBelowMinimum: row(400, "4013", "Amount below the minimal transfer amount"),
  feeNotIncludable: row(400, "4016", "Set is_fee_included to false for this currency"),
  feeExceedsAmount: row(400, "4019", "Fee exceeds the payout amount"),
  addressUnavailable: row(400, "5005", "Deposit address cannot be generated"),
  rateUnavailable: row(400, "5006", "Deposit rates cannot be obtained"),
  addressTypeWithoutCurrency: row(400, "5007", "address_type given without a currency"),
  currencyDisabled: row(400, "6002", "Currency disabled"),
  currencyUnavailable: row(400, "6015", "Currency unavailable"),
  tokenNotPaidFor: row(400, "6017", "Custom token that was not paid for"),
  addressRefused: row(400, "7001", "Incorrect address or address not whitelisted"),
  payoutsBlocked: row(403, "3019", "Payouts blocked for the wallet"),
  feeUnavailable: row(503, "4018", "Fee calculation unavailable for the currency"),
  nodeUnavailable: row(500, "node_unavailable", "Node-related error"),
  serviceUnavailable: row(503, "service_unavailable", "Service unavailable, retry later"),
  internal: row(500, "500", "Internal server error"),
};

export type RejectionName = keyof typeof rejections;

const places = new Map(Object.keys(rejections).map((name, place) => [name, place]));

/** The position of a row in the table; of two rejections the one with the lower position is returned. */
export function precedenceOf(name: RejectionName): number {
  return present(places.get(name), `the row ${name}`);
}

/** Where the fault is: a JSON pointer into the request document, a query parameter or a header. */
export type RejectionSource =
  | { readonly pointer: string }
  | { readonly parameter: string }
  | { readonly header: string };

export type Rejection = {
  readonly name: RejectionName;
  /** What is wrong in this case and what would be right. Never contains secrets, SQL or stack traces. */
  readonly detail: string;
  readonly source?: RejectionSource;
  readonly meta?: Readonly<Record<string, string>>;
  /** For code that must tell it from other faults; never shown. */
  readonly origin?: RejectionOrigin;
};

/** What refuses every payout of a wallet, or of a chain, whatever the payout itself is; a chain's pause refuses more than one that stops payments inside the service. */
export type RejectionOrigin = "wallet" | "chainPause" | "insidePause";

/** Creates a rejection; `source` is the place of the fault in the request. */
export function rejection(
  name: RejectionName,
  detail: string,
  source?: RejectionSource,
): Rejection {
  return source === undefined ? { name, detail } : { name, detail, source };
}

/** The JSON pointer of a fault in the document; null for other faults. */
export function pointerOf({ source }: Pick<Rejection, "source">): string | null {
  return source !== undefined && "pointer" in source ? source.pointer : null;
}

/** A caller's mistake. Thrown anywhere below a route and turned into an error response by the HTTP server. */
export class Rejected extends Error {
  override readonly name = "Rejected";
  readonly rejections: readonly Rejection[];
  constructor(first: Rejection, ...others: readonly Rejection[]) {
    super(`${first.name}: ${first.detail}`);
    this.rejections = [first, ...others];
  }
}

/** Throws `Rejected` with this rejection. */
export function reject(name: RejectionName, detail: string, source?: RejectionSource): never {
  throw new Rejected(rejection(name, detail, source));
}
