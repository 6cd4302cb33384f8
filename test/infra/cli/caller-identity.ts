/** The response of STS to a request for the caller's identity. */

/** The role by which an operator is identified, whatever the name of the session is. */
export const callerRole = 'arn:aws:sts::123456789012:assumed-role/Operators';

export const callerIdentity = `<GetCallerIdentityResponse><GetCallerIdentityResult>
  <Arn>${callerRole}/ana@example.com</Arn><UserId>AROA:ana</UserId><Account>123456789012</Account>
  </GetCallerIdentityResult></GetCallerIdentityResponse>`;
