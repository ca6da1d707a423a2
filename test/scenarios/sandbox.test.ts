import { runScenarios } from "./support/run-scenarios.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";

/* The sandbox as `npm start` runs it, used over HTTP, with payments on its real chains. */

runScenarios(() => startSandboxDeployment(), { withOutages: false });
