/** The security headers of the dashboard's pages as a CloudFront policy; the local host sends the same. */
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { HeadersReferrerPolicy, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { siteHeaders, tlsSeconds } from '../../dashboard-site.ts';

export interface HeadersStackProps extends StackProps {
  /** The origin of results, which the pages show, and the addresses to which the pages upload files. */
  readonly elsewhere: Parameters<typeof siteHeaders>[0];
}

export class HeadersStack extends Stack {
  readonly policy: ResponseHeadersPolicy;

  constructor(scope: Construct, id: string, { elsewhere, ...props }: HeadersStackProps) {
    super(scope, id, props);
    const {
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': _noReferrer,
      'Strict-Transport-Security': _tls,
      'X-Content-Type-Options': _noSniffing,
      ...others
    } = siteHeaders(elsewhere);
    const override = true;
    this.policy = new ResponseHeadersPolicy(this, 'Headers', {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override },
        contentTypeOptions: { override },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.seconds(tlsSeconds),
          includeSubdomains: false,
          override,
        },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries(others).map(([header, value]) => ({ header, value, override })),
      },
    });
  }
}
