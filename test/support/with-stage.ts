import type { RestorableDeployment } from "../scenarios/stage/restorable-deployment.ts";
import { openStage, type Stage } from "../scenarios/stage/stage.ts";

/** Opens a stage on the deployment for `work`, and closes it afterwards. */
export async function withStage<Result>(
  deployment: RestorableDeployment,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const stage = await openStage(deployment);
  try {
    return await work(stage);
  } finally {
    await stage.close();
  }
}
