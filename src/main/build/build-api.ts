import { join } from "node:path";
import { createAccessTokens } from "../../accounts/tokens/access-token.ts";
import { createAuthenticate } from "../../accounts/tokens/authenticate.ts";
import { defaultPasswordHashing } from "../../accounts/tokens/password-hash.ts";
import type { SessionContext } from "../../accounts/tokens/session-context.ts";
import { createThrottle } from "../../accounts/tokens/throttle.ts";
import { createTokenKeys } from "../../accounts/tokens/token-keys.ts";
import { defaultTokenSettings } from "../../accounts/tokens/token-settings.ts";
import { createCallbackUrlCheck } from "../../callbacks/callback-url.ts";
import { availabilityFromRow } from "../../currencies/availability-row.ts";
import { createCurrencyList } from "../../currencies/list-currencies.ts";
import { createRateList } from "../../currencies/rates/list-rates.ts";
import { createDepositWriter } from "../../deposits/create/create.store.ts";
import { tokenRoutes } from "../../http/accounts/token.ts";
import { walletLoader, walletRoutes } from "../../http/accounts/wallet.ts";
import { callbackRoutes } from "../../http/callbacks/callback.ts";
import { callbackDescriptions } from "../../http/callbacks/callback-descriptions.ts";
import { callbackReceiverRoutes } from "../../http/callbacks/callback-receiver.ts";
import { callbackResendRoutes } from "../../http/callbacks/callback-resend.ts";
import { callbackTestRoutes } from "../../http/callbacks/callback-test.ts";
import { eventRoutes } from "../../http/callbacks/event.ts";
import { webhookEndpointRoutes } from "../../http/callbacks/webhook-endpoint.ts";
import { currencyLoader, currencyRoutes } from "../../http/currencies/currency.ts";
import { rateRoutes } from "../../http/currencies/rate.ts";
import { depositRoutes } from "../../http/deposits/deposit.ts";
import { depositResolutionRoutes } from "../../http/deposits/deposit-resolution.ts";
import { depositResolveRoutes } from "../../http/deposits/deposit-resolve.ts";
import { transferRoutes } from "../../http/deposits/transfer.ts";
import { transferReturnRoutes } from "../../http/deposits/transfer-return.ts";
import { unattributedRoutes } from "../../http/deposits/unattributed.ts";
import { beneficiaryRoutes } from "../../http/payouts/beneficiary.ts";
import { payeeRoutes } from "../../http/payouts/payee.ts";
import { payoutRoutes } from "../../http/payouts/payout.ts";
import { payoutApprovalRoutes } from "../../http/payouts/payout-approval.ts";
import { payoutBatchRoutes } from "../../http/payouts/payout-batch.ts";
import { payoutCalculationRoutes } from "../../http/payouts/payout-calculation.ts";
import { payoutCreateRoutes } from "../../http/payouts/payout-create.ts";
import { payoutRequirementsRoutes } from "../../http/payouts/payout-requirements.ts";
import { protectionChangeRoutes } from "../../http/payouts/protection-change.ts";
import { travelRuleRoutes } from "../../http/payouts/travel-rule.ts";
import { travelRuleThresholdRoutes } from "../../http/payouts/travel-rule-threshold.ts";
import { searchRoutes } from "../../http/reports/search.ts";
import { timelineRoutes } from "../../http/reports/timeline.ts";
import { dashboardRoutes } from "../../http/server/dashboard.ts";
import type { Route } from "../../http/server/route.ts";
import { createServer, type Server } from "../../http/server/server.ts";
import { readWebProgram } from "../../http/server/web-program.ts";
import { openLocksMax } from "../config/open-locks.ts";
import { rateMargins } from "../config/rate-margins.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { operationsRoutes, restrictedOperationsRoutes } from "../metrics/operations-routes.ts";
import { buildPaymentPages } from "./build-payment-pages.ts";
import { buildQuotes } from "./build-quotes.ts";
import { callbackSettings } from "./callback-settings.ts";
import { depositContext, type Foundation } from "./foundation.ts";
import { buildOperatorRoutes } from "./operator-routes.ts";
import { createReadAddresses } from "./payee-addressing.ts";
import { payoutContext, payoutRevalueAfterSeconds } from "./payout-context.ts";
import { peopleRoutes, peopleSettings } from "./people-routes.ts";

/** Output folder of scripts/build-web.js. */
const builtWeb = join(import.meta.dirname, "../../../web/dist");
/** How long a request waits for a deposit address when the pool is empty. */
const addressPatienceMs = 2_000;

/**
 * Builds the HTTP server of a deployment, not yet listening. It holds no keys. It asks nodes only for fees and for the balances
 * of the deployment's own accounts. `sandboxRoutes` are served by the sandbox only.
 */
export async function buildApi(
  foundation: Foundation,
  metrics: Metrics,
  sandboxRoutes: readonly Route[] = [],
): Promise<Server> {
  const { config, db, clock, random, logger, currencies, baseUrl } = foundation;
  const session = sessionContext(foundation);
  const currencyList = createCurrencyList(db, currencies, foundation.findAvailability);
  const deposits = depositRouteContext(foundation);
  const quotes = foundation.approvePayout === null ? null : await buildQuotes(foundation);
  const payouts = payoutContext(foundation, quotes?.quoteFees ?? (() => Promise.resolve(null)));
  const pages = buildPaymentPages(foundation, deposits, join(builtWeb, "page"));
  const server = createServer(
    {
      baseUrl,
      clock,
      random,
      logger,
      authenticate: createAuthenticate({ ...foundation, accessTokens: session.accessTokens }),
      assertServing: foundation.clockGuard.assertWithinBound,
      callers: foundation.callers,
      throttle: createThrottle({ db, clock, logger }, config.throttle),
      webhooks: callbackDescriptions,
      loaders: [currencyLoader({ currencies: currencyList }), walletLoader(foundation)],
      strictMediaTypes: config.http.strict_media_types,
      trustedProxies: config.http.trusted_proxies,
      corsOrigins: config.http.cors_origins,
      observe: metrics.observeAnswer,
    },
    [
      ...tokenRoutes(session),
      ...peopleRoutes(session, config),
      ...walletRoutes(foundation),
      ...currencyRoutes({ currencies: currencyList }),
      ...rateRoutes({
        rates: createRateList(db, currencies, clock, rateMargins(config, currencies)),
      }),
      ...moneyRoutes(foundation, deposits, payouts),
      ...depositResolutionRoutes(deposits),
      ...payoutApprovalRoutes({ ...payouts.acting, findRate: foundation.findRate }),
      ...beneficiaryRoutes({ ...payouts.keeping, db, clock }),
      ...protectionRoutes(foundation, payouts),
      ...payoutCalculationRoutes(payouts.calculating),
      ...payoutRequirementsRoutes(payouts.requirements),
      ...travelRuleThresholdRoutes(payouts.requirements),
      ...travelRuleRoutes({ db, seal: foundation.seal }),
      ...callbackRoutes({ db, clock }),
      ...callbackResendRoutes({ db, clock }),
      ...callbackTestRoutes({ db, clock, random, callbackUrlFault: deposits.callbackUrlFault }),
      ...callbackReceiverRoutes({ db, clock }),
      ...webhookEndpointRoutes({ ...foundation, callbackUrlFault: deposits.callbackUrlFault }),
      ...eventRoutes({ db }),
      ...timelineRoutes({ db, currencies }),
      ...searchRoutes({ db, currencies }),
      ...pages.routes,
      ...dashboardRoutes({ dashboard: readWebProgram(join(builtWeb, "dashboard")), random }),
      ...buildOperatorRoutes(foundation, quotes),
      ...sandboxRoutes,
      ...restrictedOperationsRoutes(operationsRoutes(foundation, metrics), {
        networks: config.http.metrics_networks,
        trustedProxies: config.http.trusted_proxies,
      }),
    ],
  );
  // Open streams keep a server from closing.
  server.addHook("preClose", (done) => {
    pages.close();
    done();
  });
  if (quotes !== null) server.addHook("onClose", () => quotes.close());
  return server;
}

/** The allowlist, and the changes of it and of limits. */
function protectionRoutes(
  { db, clock, currencies, config }: Foundation,
  { keeping, requirements }: ReturnType<typeof payoutContext>,
): readonly Route[] {
  const changes = protectionChangeRoutes({
    db,
    clock,
    currencies,
    people: peopleSettings(config),
    looseningWaitSeconds: config.people.loosening_wait_seconds,
    findPayeeAddressing: keeping.findPayeeAddressing,
    travelRuleThresholds: requirements.travelRuleThresholds,
  });
  return [...payeeRoutes({ db }), ...changes];
}

/** The routes that move money or resolve money on hold. */
export function moneyRoutes(
  foundation: Foundation,
  deposits: ReturnType<typeof depositRouteContext>,
  payouts: ReturnType<typeof payoutContext>,
): readonly Route[] {
  return [
    ...depositRoutes(deposits),
    ...depositResolveRoutes({ deposits, payouts: payouts.creating }),
    ...payoutRoutes(payouts.acting),
    ...payoutCreateRoutes(payouts.creating),
    ...payoutBatchRoutes({
      ...payouts.creating,
      db: foundation.db,
      clock: foundation.clock,
      random: foundation.random,
      approving: payouts.acting,
      seal: foundation.seal,
    }),
    ...transferRoutes({
      ...deposits,
      refunds: foundation.refunds,
      freezeRates: foundation.freezeRates,
      payoutRevalueAfterSeconds: payoutRevalueAfterSeconds(foundation.config),
    }),
    ...transferReturnRoutes({ deposits, payouts: payouts.creating }),
    ...unattributedRoutes(deposits, payouts.creating),
  ];
}

function sessionContext(foundation: Foundation): SessionContext {
  const { db, clock, random, logger, seal, baseUrl } = foundation;
  const accounts = { db, clock, random, seal, passwordHashing: defaultPasswordHashing };
  const tokenSettings = { ...defaultTokenSettings, issuer: baseUrl };
  const keys = createTokenKeys(accounts, tokenSettings);
  return {
    ...accounts,
    logger,
    tokenSettings,
    accessTokens: createAccessTokens({ clock, random }, keys, tokenSettings),
  };
}

/** The context of the deposit routes. */
export function depositRouteContext(foundation: Foundation) {
  const { config, db, clock, currencies, chainSwitches, freezeRates } = foundation;
  const openLocks = { currencies, freezeRates, max: openLocksMax(config, currencies) };
  return {
    ...depositContext(foundation),
    db,
    clock,
    seal: foundation.seal,
    findKeyspace: foundation.findKeyspace,
    readAddresses: createReadAddresses(foundation),
    writer: createDepositWriter(
      db,
      (id, row) => {
        const currency = id === null ? null : currencies.find(id);
        if (currency === null) return "available";
        return availabilityFromRow(currency, chainSwitches, row);
      },
      openLocks,
    ),
    openLocks,
    callbackUrlFault: createCallbackUrlCheck(callbackSettings(config)),
    rateLockSeconds: config.deposits.rate_lock_seconds,
    addressPatienceMs,
  };
}
