import { Alert, Button, Group, Stack } from "@mantine/core";
import { IconHandStop, IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import type { KillSwitch } from "../../../../../client/src/api-types.gen.ts";
import { useWallets } from "../../api/lookups.ts";
import { TimeText } from "../../components/time-text.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { ResumePayoutsDialog } from "./resume-payouts-dialog.tsx";
import { stoppedName, useKillSwitches, useMayRelease } from "./use-kill-switches.ts";

/** What stops payouts, since when and why, with a button for those who may end it; nothing while payouts run. */
export function StoppedPayouts() {
  const switches = useKillSwitches() ?? [];
  const [released, setReleased] = useState<KillSwitch | null>(null);
  return (
    <>
      {switches.length === 0 ? null : (
        <Stack gap="sm" mb="lg">
          {switches.map((killSwitch) => (
            <StopAlert
              key={killSwitch.id}
              killSwitch={killSwitch}
              onRelease={() => {
                setReleased(killSwitch);
              }}
            />
          ))}
        </Stack>
      )}
      <ResumePayoutsDialog
        released={released}
        onClose={() => {
          setReleased(null);
        }}
      />
    </>
  );
}

function StopAlert({
  killSwitch,
  onRelease,
}: {
  readonly killSwitch: KillSwitch;
  readonly onRelease: () => void;
}) {
  const mayRelease = useMayRelease();
  const wallets = useWallets();
  const { scope, kind, reason, set_by: by, created_at: since } = killSwitch.attributes;
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconHandStop aria-hidden="true" />}
      title={
        scope === "all"
          ? t("Payouts are stopped")
          : t("Stopped: {name}", { name: stoppedName(killSwitch, wallets) })
      }
    >
      <Group justify="space-between" align="flex-end" gap="sm">
        <div>
          <div>{t("Reason: {value}", { value: reason ?? t("Not disclosed") })}</div>
          <div>
            {since === null
              ? null
              : by === null
                ? rich("Since {time}", { time: <TimeText value={since} /> })
                : rich("Since {time}, stopped by {name}", {
                    time: <TimeText value={since} />,
                    name: by,
                  })}
          </div>
          {kind === "reconciliation" ? <div>{t("Released automatically")}</div> : null}
        </div>
        {mayRelease(killSwitch) ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
            onClick={onRelease}
          >
            {t("Resume payouts")}
          </Button>
        ) : null}
      </Group>
    </Alert>
  );
}
