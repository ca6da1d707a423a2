import { createRouter } from "@tanstack/react-router";
import { batchRoutes } from "../pages/batches/batch-routes.ts";
import { beneficiaryRoutes } from "../pages/beneficiaries/beneficiary-routes.ts";
import { callbackRoutes } from "../pages/callbacks/callback-routes.ts";
import { currencyRoutes } from "../pages/currencies/currency-routes.ts";
import { depositRoutes } from "../pages/deposits/deposit-routes.ts";
import { operationsRoutes } from "../pages/operations/operations-routes.ts";
import { overviewRoutes } from "../pages/overview/overview-routes.ts";
import { paymentLinkRoutes } from "../pages/payment-links/payment-link-routes.ts";
import { payoutRoutes } from "../pages/payouts/payout-routes.ts";
import { pointOfSaleRoutes } from "../pages/point-of-sale/point-of-sale-routes.ts";
import { profileRoutes } from "../pages/profile/profile-routes.ts";
import { protectionRoutes } from "../pages/protection/protection-routes.ts";
import { signInRoutes } from "../pages/sign-in/sign-in-routes.ts";
import { simulatorRoutes } from "../pages/simulator/simulator-routes.ts";
import { statementRoutes } from "../pages/statements/statement-routes.ts";
import { storeRoutes } from "../pages/store/store-routes.ts";
import { teamRoutes } from "../pages/team/team-routes.ts";
import { transferRoutes } from "../pages/transfers/transfer-routes.ts";
import { unattributedRoutes } from "../pages/unattributed/unattributed-routes.ts";
import { walletRoutes } from "../pages/wallets/wallet-routes.ts";
import { webhookRoutes } from "../pages/webhooks/webhook-routes.ts";
import { rootRoute } from "./root-route.tsx";
import { shellRoute } from "./shell-route.tsx";

const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  shellRoute.addChildren([
    ...overviewRoutes,
    ...depositRoutes,
    ...paymentLinkRoutes,
    ...pointOfSaleRoutes,
    ...payoutRoutes,
    ...beneficiaryRoutes,
    ...transferRoutes,
    ...unattributedRoutes,
    ...walletRoutes,
    ...statementRoutes,
    ...currencyRoutes,
    ...batchRoutes,
    ...callbackRoutes,
    ...storeRoutes,
    ...webhookRoutes,
    ...teamRoutes,
    ...protectionRoutes,
    ...profileRoutes,
    ...operationsRoutes,
    ...simulatorRoutes,
  ]),
]);

/** The pages below `/ui/`. The query string is plain text, not JSON. */
export const router = createRouter({
  routeTree,
  basepath: "/ui",
  defaultPreload: "intent",
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const present = Object.entries(search).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, String(value)]],
    );
    const text = new URLSearchParams(present).toString();
    return text === "" ? "" : `?${text}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
