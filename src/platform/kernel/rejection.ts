import { present } from "./assert.ts";

/**
 * All errors that a request can be rejected with, in order of precedence: faults of the request's head, then of the body's form,
 * then of its values. If several apply, the first is returned; field errors of one row are returned together.
 * Rows and codes follow the interface's error tables; codes in words are used where the interface defines no number.
 * `docs/errors.md` is generated from this table.
 */
export const rejections = {
  requestTimeout: { status: 408, code: "request_timeout", title: "Request timeout" },
  headersTooLarge: {
    status: 431,
    code: "headers_too_large",
    title: "Request headers too large",
  },
  expectationFailed: {
    status: 417,
    code: "expectation_failed",
    title: "Expectation failed",
  },
  methodNotAllowed: { status: 405, code: "method_not_allowed", title: "Method not allowed" },
  notAcceptable: { status: 406, code: "not_acceptable", title: "No acceptable media type" },
  unsupportedMediaType: {
    status: 415,
    code: "unsupported_media_type",
    title: "Unsupported media type",
  },
  unauthenticated: {
    status: 401,
    code: "2007",
    title: "No active account with the given credentials",
  },
  secondFactorDue: {
    status: 401,
    code: "second_factor_required",
    title: "Second factor required",
  },
  addressNotAllowed: {
    status: 403,
    code: "2016",
    title: "Network address not allowed for the credential",
  },
  throttled: { status: 429, code: "throttled", title: "Request was throttled" },
  idempotencyKeyMissing: { status: 428, code: "1003", title: "Idempotency key is missing" },
  bodyTooLarge: { status: 413, code: "payload_too_large", title: "Request body too large" },
  parseError: { status: 400, code: "parse_error", title: "Document cannot be parsed" },
  typeConflict: { status: 409, code: "conflict", title: "Wrong resource type" },
  clientGeneratedId: { status: 403, code: "forbidden", title: "IDs are assigned by the service" },
  idempotencyKeyUsed: { status: 409, code: "1004", title: "Idempotency key already used" },
  permissionDenied: { status: 403, code: "permission_denied", title: "Permission denied" },
  confirmationDue: {
    status: 403,
    code: "confirmation_required",
    title: "Confirmation with password or second factor required",
  },
  accountNotReady: { status: 403, code: "403", title: "Permission denied" },
  notFound: { status: 404, code: "404", title: "Object not found" },
  depositEnded: { status: 409, code: "deposit_ended", title: "The deposit is closed" },
  currencyChosen: {
    status: 409,
    code: "currency_chosen",
    title: "The currency has already been chosen",
  },
  rateInForce: { status: 409, code: "rate_in_force", title: "The rate has not expired" },
  refundNotAsked: {
    status: 409,
    code: "refund_not_asked",
    title: "No refund address is requested",
  },
  noPermissionToView: { status: 400, code: "5001", title: "No permission to view" },
  fieldMissing: { status: 400, code: "1006", title: "Missing field" },
  invalidValue: { status: 400, code: "1007", title: "Invalid value" },
  walletInactive: { status: 400, code: "3008", title: "Wallet inactive or still being registered" },
  walletNotActivated: { status: 400, code: "3021", title: "Wallet activation transfer required" },
  walletTypeInvalid: {
    status: 400,
    code: "3022",
    title: "Wallet type must be Enterprise, Merchant or Swap",
  },
  payoutNotPermitted: { status: 400, code: "4002", title: "Payout cannot be made from the wallet" },
  payoutToItself: {
    status: 400,
    code: "4007",
    title: "Funds sent to the wallet they are paid from",
  },
  insufficientFunds: { status: 400, code: "4008", title: "Insufficient funds" },
  feeOutOfRange: { status: 400, code: "4009", title: "Blockchain fee too high or too low" },
  feeOnToken: { status: 400, code: "4010", title: "Blockchain fee cannot be applied to tokens" },
  amountNotPositive: { status: 400, code: "4011", title: "Amount zero or negative" },
  trackingIdUsed: { status: 400, code: "4012", title: "tracking_id is not unique for the wallet" },
  amountBelowMinimum: {
    status: 400,
    code: "4013",
    title: "Amount below the minimal transfer amount",
  },
  feeNotIncludable: {
    status: 400,
    code: "4016",
    title: "Set is_fee_included to false for this currency",
  },
  feeExceedsAmount: { status: 400, code: "4019", title: "Fee exceeds the payout amount" },
  addressUnavailable: { status: 400, code: "5005", title: "Deposit address cannot be generated" },
  rateUnavailable: { status: 400, code: "5006", title: "Deposit rates cannot be obtained" },
  addressTypeWithoutCurrency: {
    status: 400,
    code: "5007",
    title: "address_type given without a currency",
  },
  currencyDisabled: { status: 400, code: "6002", title: "Currency disabled" },
  currencyUnavailable: { status: 400, code: "6015", title: "Currency unavailable" },
  tokenNotPaidFor: { status: 400, code: "6017", title: "Custom token that was not paid for" },
  addressRefused: {
    status: 400,
    code: "7001",
    title: "Incorrect address or address not whitelisted",
  },
  payoutsBlocked: { status: 403, code: "3019", title: "Payouts blocked for the wallet" },
  feeUnavailable: {
    status: 503,
    code: "4018",
    title: "Fee calculation unavailable for the currency",
  },
  nodeUnavailable: { status: 500, code: "node_unavailable", title: "Node-related error" },
  serviceUnavailable: {
    status: 503,
    code: "service_unavailable",
    title: "Service unavailable, retry later",
  },
  internal: { status: 500, code: "500", title: "Internal server error" },
} as const satisfies Record<string, { status: number; code: string; title: string }>;

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
};

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
