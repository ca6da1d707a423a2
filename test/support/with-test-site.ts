import type { RestorableDeployment } from "../scenarios/support/restorable-deployment.ts";
import { openTestSite, type TestSite } from "../scenarios/support/test-site.ts";

/** Opens a test site on the deployment for `work`, and closes it afterwards. */
export async function withTestSite<Result>(
  deployment: RestorableDeployment,
  work: (site: TestSite) => Promise<Result>,
): Promise<Result> {
  const site = await openTestSite(deployment);
  try {
    return await work(site);
  } finally {
    await site.close();
  }
}
