import { runScenarios } from "./support/run-scenarios.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";

/*
 * The sandbox as `npm start` runs it, used over HTTP, with payments on its real chains. It runs the code of a production deployment
 * in one process, and `production.test.ts` plays all scenarios; `npm run scenarios` plays all of them here too.
 */

runScenarios(
  () => startSandboxDeployment(),
  process.env["SLUICE_ALL_SCENARIOS"] === "1" ? "all" : "basic",
);
