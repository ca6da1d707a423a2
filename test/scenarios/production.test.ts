import { startProductionDeployment } from "./stage/production-deployment.ts";
import { tellStories } from "./stage/tell-stories.ts";

/* Two api processes, two workers and a signer with one configuration file, as an operator would run them. */

tellStories(startProductionDeployment, { withOutages: true });
