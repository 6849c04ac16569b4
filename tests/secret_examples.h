/*
 * secret_examples.h - an example of each kind of secret
 *
 * The examples are random. Each is divided into two parts, so that no scanner
 * of repositories takes it for a real secret.
 */
#ifndef HP_TESTS_SECRET_EXAMPLES_H
#define HP_TESTS_SECRET_EXAMPLES_H

#define A36 "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6"
#define A72 A36 A36

/*
 * An example of each kind, in the order of secrets.def. The text of an example
 * is the first part followed by the second part.
 */
static const char *const secret_examples[][2] = {
	{"-----BEGIN RSA ", "PRIVATE KEY-----\nMIIE" A72},
	{"AKI", "AJ7PQ2RS4TU6VW8XY"},
	{"ASI", "AJ7PQ2RS4TU6VW8XY"},
	{"Account", "Key=" A72 "aB3dE6gH9jK2mN=="},
	{"AIz", "aSyaB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iLx"},
	{"GOCSP", "X-aB3dE6gH9jK2mN5pQ8sT1vW4yZ7c"},
	{"ya2", "9.a0AfH6SMaB3dE6gH9jK2"},
	{"gh", "p_" A36},
	{"gh", "o_" A36},
	{"gh", "u_" A36},
	{"gh", "s_" A36},
	{"gh", "r_" A36},
	{"github", "_pat_" A36},
	{"glp", "at-aB3dE6gH9jK2mN5pQ8sT"},
	{"xox", "b-1234567890-aB3dE6gH9jK2"},
	{"xox", "p-1234567890-aB3dE6gH9jK2"},
	{"hooks.slack", ".com/services/T00000000/B00000000/" A36},
	{"sk_", "live_aB3dE6gH9jK2mN5pQ8sT1vW4"},
	{"rk_", "live_aB3dE6gH9jK2mN5pQ8sT1vW4"},
	{"np", "m_" A36},
	{"pypi", "-AgEI" A72},
	{"S", "G.aB3dE6gH9jK2mN5pQ8sT1v."
	      "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6aB3dE6g"},
	{"sk-", "proj-" A72},
	{"sk-", "ant-" A72},
	{"eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.aB3dE6gH9jK2mN5pQ8"},
	{"Bear", "er aB3dE6gH9jK2mN5pQ8sT"},
	{"https:/", "/joe:hunter2@db.example.com/"},
	{"db.pass", "word=hunter22"},
	{"pass", "wd=hunter22"},
	{"DB_PASS", "WORD=hunter22"},
	{"client.sec", "ret=hunter22"},
	{"APP_SEC", "RET=hunter22"},
	{"aws_sec", "ret_access_key=hunter22"},
	{"AWS_SEC", "RET_ACCESS_KEY=hunter22"},
	{"Cookie: JSESS", "IONID=0123456789ABCDEF0123456789ABCDEF"},
	{"/shop;jsess", "ionid=0123456789ABCDEF0123456789ABCDEF"},
	{"PHPSESS", "ID=0123456789abcdef0123456789"},
	{"ASP.NET_Sess", "ionId=0123456789abcdef01234567"},
	{"<jane.doe", "@mail.example.com>"},
	{"4111-1111", "-1111-1111"},
};

#endif
