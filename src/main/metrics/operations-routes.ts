import { isAllowedFrom } from "../../accounts/tokens/allowed-network.ts";
import type { PlainRequest, PlainRoute } from "../../http/server/plain-route.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { singleFlight } from "../../platform/kernel/single-flight.ts";
import {
  checkServing,
  checkSystem,
  type ReadinessContext,
  type Serving,
} from "../../reports/operations/check-readiness.ts";
import type { Metrics } from "./metrics.ts";

/** Seconds for which one database query answers all readiness requests. */
const sharedSeconds = 1;

export type OperationsRoute = {
  readonly path: string;
  readonly summary: string;
  /** Shows more than a stranger may see, such as amounts of work and numbers of accounts. */
  readonly isForKeepers: boolean;
  /** `query`: the query string. */
  readonly answer: (query: URLSearchParams) => Promise<OperationsAnswer>;
};

type OperationsAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
};

/** `/healthz`, `/readyz` and `/metrics`, outside JSON:API and without a token. */
export function operationsRoutes(
  context: ReadinessContext,
  metrics: Metrics,
): readonly OperationsRoute[] {
  const contentType = "application/json";
  const serving = singleFlight(() => checkServing(context), context.clock, sharedSeconds);
  const system = singleFlight(() => checkSystem(context), context.clock, sharedSeconds);
  const answerOf = (found: Serving): OperationsAnswer => ({
    status: found.ready ? 200 : 503,
    contentType,
    body: JSON.stringify(found),
  });
  return [
    {
      path: "/healthz",
      summary: "Check that the process is alive",
      isForKeepers: false,
      answer: () => Promise.resolve({ status: 200, contentType, body: '{"status":"ok"}' }),
    },
    {
      path: "/readyz",
      summary:
        "Tell whether this process can serve: the database can be written to, and the clock is right. With `?scope=system` also whether chains, reconciliation and the signer work",
      isForKeepers: false,
      answer: async (query) => {
        const scope = query.get("scope");
        if (scope === null) return answerOf(await serving());
        if (scope === "system") return answerOf(await system());
        const body = JSON.stringify({ error: "scope must be system, or absent" });
        return { status: 400, contentType, body };
      },
    },
    {
      path: "/metrics",
      summary: "Metrics in the Prometheus text format",
      isForKeepers: true,
      answer: async () => ({ status: 200, ...(await metrics.render()) }),
    },
  ];
}

/**
 * The same routes on the API's port, which strangers reach as well. Restricted ones answer only the given networks and are 404
 * for everyone else.
 */
export function restrictedOperationsRoutes(
  routes: readonly OperationsRoute[],
  keepers: { readonly networks: readonly string[]; readonly trustedProxies: number },
): readonly PlainRoute[] {
  return routes.map(({ path, summary, isForKeepers, answer }) => ({
    kind: "plain",
    method: "GET",
    path,
    summary,
    handle: (request) => {
      if (isForKeepers && !isFromKeeper(request, keepers)) reject("notFound", "No such path.");
      return answer(queryOf(request.url));
    },
  }));
}

/** The query string; empty when the text is not a URL. */
export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split("?").slice(1).join("?"));
}

/** An unconfigured proxy may run on this machine, so what it forwards may come from anywhere. */
function isFromKeeper(
  { ip, header }: Pick<PlainRequest, "ip" | "header">,
  keepers: { readonly networks: readonly string[]; readonly trustedProxies: number },
): boolean {
  const isPassedOn = header("x-forwarded-for") !== null || header("forwarded") !== null;
  const isKnown = keepers.trustedProxies > 0 || !isPassedOn;
  return isKnown && keepers.networks.length > 0 && isAllowedFrom(keepers.networks, ip);
}
