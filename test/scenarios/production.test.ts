import { startProductionDeployment } from "./support/production-deployment.ts";
import { runScenarios } from "./support/run-scenarios.ts";

/* Two api processes, two workers and a signer with one configuration file, as an operator would run them. */

runScenarios(startProductionDeployment, "allWithOutages");
