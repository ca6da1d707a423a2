import { buildApi } from "../../src/main/build/build-api.ts";
import { expectedSeries } from "../../src/main/metrics/expected-series.ts";
import { createMetrics } from "../../src/main/metrics/metrics.ts";
import type { Database, SqlValue } from "../../src/platform/db/database.ts";
import { assembledStatement } from "../../src/platform/db/list-query.ts";
import type { Deployment } from "./deployment.ts";

/** The plans, as executed, of the statements that a request runs on this deployment. */
export async function explainRequest(
  {
    deployment: { foundation },
    headers,
  }: { readonly deployment: Deployment; readonly headers: Readonly<Record<string, string>> },
  path: string,
): Promise<string> {
  const { db, clock, clockGuard } = foundation;
  const sent: { readonly text: string; readonly values: readonly SqlValue[] }[] = [];
  const recording: Database = {
    ...db,
    query: (statement, values = []) => {
      sent.push({ text: statement.text, values });
      return db.query(statement, values);
    },
  };
  const server = await buildApi(
    { ...foundation, db: recording },
    createMetrics(db, clock, clockGuard, expectedSeries(foundation)),
  );
  await server.inject({ url: path, headers: { authorization: headers["authorization"] ?? "" } });
  await server.close();
  const plans = [`plans of ${path}`];
  for (const { text, values } of sent.filter((one) => /^\s*(select|with)/i.test(one.text))) {
    const lines = await db
      .query(
        {
          ...assembledStatement<{ "QUERY PLAN": string }>(
            "plan",
            `explain (analyze, buffers) ${text}`,
          ),
          name: "",
          mayTakeLong: true,
        },
        values,
      )
      .catch((error: unknown) => [{ "QUERY PLAN": String(error) }]);
    plans.push(...lines.map((line) => line["QUERY PLAN"]), "");
  }
  return plans.join("\n");
}
