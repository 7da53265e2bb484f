/**
 * A sign that makes receivers think that an email claims to come from someone else. It contains only domains
 * and public names.
 */
export interface ImpersonationSign {
  readonly id:
    | 'brand_name'
    | 'brand_domain'
    | 'brand_link'
    | 'link_domain'
    | 'embedded_domain'
    | 'near_domain'
    | 'mixed_letters'
    | 'hidden_letters'
    | 'money_reply'
    | 'wording'
    | 'mail_system';
  /** The name or domain that the reader sees or is made to think of. */
  readonly shown: string;
  /** The domain that is really used. */
  readonly real: string;
}
