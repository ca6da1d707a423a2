import type { RejectionName } from "../../platform/kernel/rejection.ts";
import type { ApiRoute } from "../server/route.ts";

/** Rejections of paying: of payouts, refunds and returns. */
const paying = [
  ...(["walletInactive", "walletNotActivated", "walletTypeInvalid", "payoutNotPermitted"] as const),
  ...(["payoutToItself", "insufficientFunds", "feeOutOfRange", "feeOnToken"] as const),
  ...(["amountNotPositive", "trackingIdUsed", "amountBelowMinimum", "feeNotIncludable"] as const),
  ...(["feeExceedsAmount", "rateUnavailable", "currencyDisabled", "currencyUnavailable"] as const),
  ...(["tokenNotPaidFor", "addressRefused", "payoutsBlocked", "feeUnavailable"] as const),
  ...(["nodeUnavailable", "accountNotReady"] as const),
] satisfies readonly RejectionName[];

const own: Readonly<Record<string, readonly RejectionName[]>> = {
  "POST /deposit/": [
    ...([
      "walletInactive",
      "walletNotActivated",
      "amountNotPositive",
      "addressUnavailable",
    ] as const),
    ...(["rateUnavailable", "addressTypeWithoutCurrency", "currencyDisabled"] as const),
    ...(["currencyUnavailable", "tokenNotPaidFor", "addressRefused"] as const),
  ],
  "POST /wallet/": ["currencyDisabled", "currencyUnavailable", "tokenNotPaidFor"],
  "POST /wallet/{id}/activate/": ["walletNotActivated"],
  "PATCH /payout/{id}/": ["payoutNotPermitted", "trackingIdUsed"],
  "POST /payout/{id}/approve/": [
    ...(["payoutNotPermitted", "insufficientFunds", "addressRefused"] as const),
    ...(["payoutsBlocked", "feeUnavailable"] as const),
  ],
  "POST /payout-batch/": [
    ...([
      "idempotencyKeyUsed",
      "payoutNotPermitted",
      "insufficientFunds",
      "feeOutOfRange",
    ] as const),
    ...(["walletInactive", "walletNotActivated", "walletTypeInvalid", "payoutsBlocked"] as const),
  ],
  "POST /payout-batch/preview/": ["walletTypeInvalid"],
  "POST /payout-batch/{id}/approve/": [
    ...(["payoutNotPermitted", "insufficientFunds", "addressRefused"] as const),
    ...(["payoutsBlocked", "feeUnavailable"] as const),
  ],
  "POST /payout-batch/{id}/cancel/": ["payoutNotPermitted"],
  "POST /transfer/{id}/release/": ["insufficientFunds", "feeUnavailable"],
  "POST /payout/{id}/cancel/": ["payoutNotPermitted"],
  "POST /beneficiary/": ["addressRefused"],
  "POST /protection-change/": ["addressRefused"],
  "POST /token/": ["unauthenticated", "addressNotAllowed"],
  "POST /token/refresh/": ["unauthenticated", "addressNotAllowed"],
  "POST /session/": ["unauthenticated", "secondFactorDue", "addressNotAllowed", "permissionDenied"],
  "POST /session/refresh/": ["unauthenticated", "addressNotAllowed", "permissionDenied"],
  "POST /session/logout/": ["permissionDenied"],
  "POST /invitation-acceptance/": ["unauthenticated", "permissionDenied"],
  "POST /password-reset/": ["permissionDenied"],
  "POST /session/second-factor/": ["unauthenticated", "permissionDenied"],
  "POST /session/passkey-options/": ["permissionDenied"],
  "POST /session/passkey/": ["unauthenticated", "permissionDenied"],
  "POST /simulator/payment/": ["notFound", "amountNotPositive", "nodeUnavailable"],
  "POST /simulator/block/": ["nodeUnavailable"],
  "POST /simulator/reorg/": ["nodeUnavailable"],
};

/** Actions that require a recent confirmation of the person. */
const confirmed: ReadonlySet<string> = new Set([
  ...["POST /me/password/", "POST /recovery-code/", "POST /passkey/options/", "POST /passkey/"],
  ...["POST /totp/", "POST /totp/{id}/confirm/", "DELETE /totp/{id}/", "DELETE /passkey/{id}/"],
  ...["POST /member/", "POST /member/{id}/reset-access/", "POST /credential/"],
  ...[
    "POST /webhook-secret/show/",
    "POST /webhook-secret/rotate/",
    "PATCH /notification-settings/",
  ],
  ...["POST /invitation/", "POST /invitation/{id}/resend/", "DELETE /invitation/{id}/"],
  ...["POST /protection-change/", "POST /protection-change/{id}/approve/"],
]);

const service = ["notAcceptable", "internal", "serviceUnavailable"] as const;
const body = ["unsupportedMediaType", "bodyTooLarge", "parseError", "typeConflict"] as const;
const caller = ["unauthenticated", "addressNotAllowed", "permissionDenied"] as const;
/** Paths below these belong to a wallet, named by the path or a filter. */
const ofWallets =
  /^\/(?:(?:wallet|deposit|payout|payout-batch|payment-link|transfer|callback|event)\/\{id\}|statistics)\//;

/**
 * The rows of the error table that a route may answer, for its description. They follow from the route's shape and its subject.
 * The tests check every response against them.
 */
export function describedRows(route: ApiRoute): ReadonlySet<RejectionName> {
  const { method, path, document, isPublic, throttle } = route;
  const operation = `${method} ${path}`;
  // A batch names its own rows: its key may be missing, and its payouts' rejections are faults of its file.
  const isKeyed =
    operation !== "POST /payout-batch/" &&
    !route.repeats &&
    route.requestHeaders.some(({ name }) => name === "idempotency-key");
  const isCalculation = path.endsWith("/calculate/");
  return new Set<RejectionName>([
    ...service,
    "invalidValue",
    ...(isPublic ? [] : caller),
    ...(throttle === "none" ? [] : (["throttled"] as const)),
    ...(path.includes("{") || route.handle.answers === "page" ? (["notFound"] as const) : []),
    ...(ofWallets.test(path) ? (["noPermissionToView"] as const) : []),
    ...(document === null ? [] : body),
    ...(document !== null && method === "POST" && (document.id ?? "refused") === "refused"
      ? (["clientGeneratedId"] as const)
      : []),
    ...(isKeyed ? (["idempotencyKeyMissing", "idempotencyKeyUsed"] as const) : []),
    ...(isKeyed || isCalculation ? paying : []),
    ...(isCalculation || document?.missing === "fieldMissing" ? (["fieldMissing"] as const) : []),
    ...(confirmed.has(operation) ? (["confirmationDue"] as const) : []),
    ...(own[operation] ?? []),
  ]);
}

/** The same for OPTIONS. */
export function describedOptionsRows(isPublic: boolean): ReadonlySet<RejectionName> {
  return new Set<RejectionName>([...service, "throttled", ...(isPublic ? [] : caller)]);
}
