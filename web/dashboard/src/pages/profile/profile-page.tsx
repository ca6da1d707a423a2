import { Alert, Stack } from "@mantine/core";
import { useMe } from "../../api/me.ts";
import { PageHeader } from "../../components/page-header.tsx";
import "./profile.css";
import { PasskeySection } from "./passkey-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { RecoverySection } from "./recovery-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TotpSection } from "./totp-section.tsx";

/** One's own login, second factors and open sessions. */
export function ProfilePage() {
  const me = useMe();
  if (me === null) return <PageHeader title="Profile and security" />;
  return (
    <>
      <PageHeader
        title="Profile and security"
        description={`How ${me.name} signs in to ${me.account_name}.`}
      />
      <Stack gap="lg">
        {me.must_change_password ? (
          <Alert color="amber" title="Choose a password of your own">
            Somebody handed you the one that you signed in with, so it is not yours alone. Nothing
            else is shown before you have changed it.
          </Alert>
        ) : null}
        <PasswordSection me={me} />
        {me.must_change_password ? null : (
          <>
            <TotpSection me={me} />
            <PasskeySection />
            {me.has_totp || me.passkey_count > 0 ? <RecoverySection me={me} /> : null}
          </>
        )}
        <SessionsSection />
      </Stack>
    </>
  );
}
